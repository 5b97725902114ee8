import { connect, type Socket } from "node:net";

/**
 * Calls `onGone` once when the engine has ended, so that nothing more is made for a
 * command that nobody records. Pulumi's launcher of the dynamic provider host survives a
 * `kill -9` of the engine, and so does the host; only the engine's port closes. An
 * address that was never reached, as in a test, says nothing.
 * @param address the engine's address, `127.0.0.1:40123`
 */
export function watchEngine(
  address: string | undefined,
  onGone: () => void,
): void {
  const [, host, port] = /^(.+):(\d+)$/.exec(address ?? "") ?? [];
  if (host === undefined) return;
  const open = (isKnown: boolean) => {
    let isOpen = false;
    const socket: Socket = connect(Number(port), host, () => (isOpen = true));
    // The watch must not keep the process running.
    socket.unref();
    socket.on("error", () => undefined);
    socket.resume().once("close", () => {
      // The engine also closes a connection on which nothing is sent.
      if (isOpen) open(true);
      else if (isKnown) onGone();
    });
  };
  open(false);
}
