import { createServer } from "node:net";
import { REGIONS } from "@devid/sdk/wire";
import type { FastifyInstance } from "fastify";
import { bindTo } from "./server";

/**
 * What can have a port of its own: the management API, the events and the agent of each
 * region, and device reputation.
 */
export const SEPARATE = ["management", ...REGIONS, "drn"] as const;

/** One of them; a region stands for its events and its agent. */
export type SeparateSurface = (typeof SEPARATE)[number];

/** A port where the paths of a surface begin as at its own address in production. */
export interface OwnPort {
  readonly name: SeparateSurface;
  readonly url: string;
  /** Takes no more connections, and waits for those that are open. */
  readonly close: () => Promise<void>;
}

/**
 * Listens on a free port, whose connections the service's own server handles. A request
 * there is the request of the service at `pathOf`. Throws StartError.
 */
export async function listenAlone(
  app: FastifyInstance,
  name: SeparateSurface,
  host: string,
): Promise<OwnPort> {
  const server = createServer((socket) =>
    app.server.emit("connection", socket),
  );
  const url = await bindTo(
    host,
    () =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen({ port: 0, host }, () => resolve(server));
      }),
  );
  const port = Number(new URL(url).port);
  app.server.prependListener("request", (request) => {
    const { url: asked = "/", socket } = request;
    // A whole URL as target stays as it is, and is refused like on the main port.
    if (socket.localPort === port && asked.startsWith("/"))
      request.url = pathOf(name, asked);
  });
  const close = () =>
    new Promise<void>((resolve) => server.close(() => resolve()));
  return { name, url, close };
}

/**
 * The path on the service's own port: the path of the surface stands before the one that was
 * asked for, so `/api-keys` is `/management/api-keys`. Device reputation has `/drn` in its
 * paths anyway.
 */
function pathOf(name: SeparateSurface, asked: string): string {
  if (name !== "drn") return `/${name}${asked}`;
  return asked.startsWith("/drn/") ? asked : `/drn/elsewhere${asked}`;
}
