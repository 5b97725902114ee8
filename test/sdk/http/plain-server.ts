import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerResponse,
} from "node:http";
import { openForTest } from "../../helpers/open-for-tests";
import { listen } from "../../helpers/listen";

/** A request that a plain server received. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A plain HTTP server on loopback that records its requests. */
export interface PlainServer {
  readonly url: string;
  readonly received: Received[];
  /** The number of connections that were opened so far. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts a plain server. `answer` must end every response. */
export async function plainServer(
  answer: (request: Received, response: ServerResponse) => void,
): Promise<PlainServer> {
  const received: Received[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (piece: string) => (body += piece));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      const all = { method, path, headers, body };
      received.push(all);
      answer(all, response);
    });
  });
  server.on("connection", () => connections++);
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    connections: () => connections,
    close: async () => {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Starts a plain server that is closed after the test. */
export const serverForTest = (answer: Parameters<typeof plainServer>[0]) =>
  openForTest(plainServer(answer));

/** Ends a response with JSON. */
export function json(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
