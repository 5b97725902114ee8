import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";
import { listen } from "./listen";

/**
 * A self-signed certificate for `service.invalid` and this machine, valid until 2126. A
 * process trusts it if NODE_EXTRA_CA_CERTS names this file.
 */
export const CERTIFICATE_FILE = join(__dirname, "tls/certificate.pem");

/** An https server on loopback that passes everything on to an http server. */
export interface TlsFront {
  readonly url: string;
  close(): Promise<void>;
}

/** Puts TLS in front of an http server. */
export async function tlsFront(upstream: string): Promise<TlsFront> {
  const to = new URL(upstream);
  const sockets = new Set<Socket>();
  const server = createServer(
    {
      cert: readFileSync(CERTIFICATE_FILE),
      key: readFileSync(join(__dirname, "tls/key.pem")),
    },
    (client) => {
      const behind = connect(Number(to.port), to.hostname);
      for (const socket of [client, behind]) sockets.add(socket);
      client.on("error", () => behind.destroy());
      behind.on("error", () => client.destroy());
      behind.pipe(client).pipe(behind);
    },
  );
  const port = await listen(server);
  return {
    url: `https://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
