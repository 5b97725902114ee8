import { createServer, type Server as HttpServer } from "node:http";
import { REGIONS } from "@devid/sdk";
import { bindTo, type Server } from "./server";

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
  readonly server: HttpServer;
}

/**
 * Listens on a free port. A request there is the request of the service at `pathOf`.
 * Throws StartError.
 */
export async function listenAlone(
  { app }: Server,
  name: SeparateSurface,
  host: string,
): Promise<OwnPort> {
  const server = createServer((request, response) => {
    const { url = "/" } = request;
    // A whole URL as target stays as it is, and is refused like on the main port.
    if (url.startsWith("/")) request.url = pathOf(name, url);
    app.routing(request, response);
  });
  const url = await bindTo(
    host,
    () =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen({ port: 0, host }, () => resolve(server));
      }),
  );
  return { name, url, server };
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

/** Ends the connections without a request, and waits for the others. */
export function closeAlone(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

/** The addresses by the names of the surfaces. */
export function addressesOf(
  own: readonly OwnPort[],
): Readonly<Record<SeparateSurface, string>> {
  // `SEPARATE` has one port for each name.
  return Object.fromEntries(own.map(({ name, url }) => [name, url])) as Record<
    SeparateSurface,
    string
  >;
}
