import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { listen } from "../../helpers/listen";

/** A forward proxy on loopback. */
export interface ProxyServer {
  readonly url: string;
  /** The requests to the proxy, such as `CONNECT service.invalid:80`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a proxy. `tunnelTo` is the end of every tunnel, for any requested host.
 * `refuse` is the status of a refusal instead; 0 means no answer.
 */
export async function proxyServer(
  target: { readonly tunnelTo: string } | { readonly refuse: number },
): Promise<ProxyServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(500).end();
  });
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.on("connect", (request, client: Socket) => {
    asked.push(`${request.method} ${request.url}`);
    client.on("error", () => client.destroy());
    if ("refuse" in target) {
      if (target.refuse) client.end(`HTTP/1.1 ${target.refuse} No\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(target.tunnelTo);
    const upstream = connect(Number(port), hostname, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on("error", () => client.destroy());
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
