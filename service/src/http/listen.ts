import type { AddressInfo } from "node:net";
import { StartError } from "../start-error";
import type { Server } from "./server";

/** Takes requests from now on, and answers the origin to send them to. Throws StartError. */
export async function listen(
  { app }: Server,
  port: number,
  host: string,
): Promise<string> {
  try {
    await app.listen({ port, host });
    return urlOf(app.server.address() as AddressInfo, host);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      code === "EADDRINUSE"
        ? `Port ${port} on ${host} is in use. Stop what uses it, or choose another port (--port; 0 picks a free one).`
        : `The service cannot listen on ${host}:${port}: ${code ?? String(error)}.`,
      { cause: error },
    );
  }
}

function urlOf({ port }: AddressInfo, host: string): string {
  switch (host) {
    case "0.0.0.0":
      return `http://127.0.0.1:${port}`;
    case "::":
      return `http://[::1]:${port}`;
    default:
      return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  }
}
