import { once } from "node:events";
import { connect, type Socket } from "node:net";

/**
 * Sends requests over a few connections, one request at a time on each. It only
 * searches for the end of an answer, so that the sender costs little compared with the
 * service.
 */
export class CallSender {
  private constructor(
    private readonly connect: () => Promise<Socket>,
    private sockets: readonly Socket[],
  ) {}

  static async open(
    { hostname, port }: URL,
    connections: number,
  ): Promise<CallSender> {
    const one = async () => {
      const socket = connect(Number(port), hostname).setNoDelay();
      await once(socket, "connect");
      return socket;
    };
    const sockets = Array.from({ length: connections }, one);
    return new CallSender(one, await Promise.all(sockets));
  }

  /** Replaces connections that the service closed after an idle minute. */
  private async alive(): Promise<readonly Socket[]> {
    this.sockets = await Promise.all(
      this.sockets.map(async (socket) =>
        socket.closed ? this.connect() : socket,
      ),
    );
    return this.sockets;
  }

  /** Sends one request, and returns the body. @throws Error for a status from 300 */
  async one(request: string): Promise<string> {
    const [socket] = await this.alive();
    if (!socket) throw new Error("There is no connection.");
    return exchange(socket, request);
  }

  /** Sends `count` requests over all connections. @throws Error for a status from 300 */
  async many(count: number, request: (n: number) => string): Promise<void> {
    let next = 0;
    const sockets = await this.alive();
    await Promise.all(
      sockets.map(async (socket) => {
        for (let n = next++; n < count; n = next++)
          await exchange(socket, request(n));
      }),
    );
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}

function exchange(socket: Socket, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const end = (act: () => void) => {
      socket.off("data", take).off("close", lost);
      act();
    };
    const lost = () =>
      end(() => reject(new Error("The connection has ended.")));
    const take = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      if (head === -1) return;
      const length = /content-length: (\d+)/i.exec(text)?.[1];
      if (length === undefined || text.length < head + 4 + Number(length))
        return;
      const status = Number(text.slice(9, 12));
      const body = text.slice(head + 4);
      end(() =>
        status < 300 ? resolve(body) : reject(new Error(text.slice(0, 2_000))),
      );
    };
    socket.on("data", take).on("close", lost);
    socket.write(request, "latin1");
  });
}
