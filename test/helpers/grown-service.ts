import { createServer, type Server } from "node:http";
import {} from "node:net";
import { once } from "node:events";
import { listen } from "./listen";

type Json = Record<string, unknown>;

/** Changes an object of the management API's answers. */
export type Grow = (object: Json, path: string) => Json;

/**
 * Imitates a later version of the service in front of a local service. Answers of the
 * management API get values that this version of devid does not know. Requests pass
 * unchanged.
 */
export class GrownService {
  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async before(target: string, grow: Grow): Promise<GrownService> {
    const server = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const path = request.url ?? "/";
        const { method = "GET", headers } = request;
        const sent = Object.entries(headers).filter(
          ([name]) => !["host", "connection", "content-length"].includes(name),
        ) as [string, string][];
        const answer = await fetch(new URL(path, target), {
          method,
          headers: sent,
          ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
        });
        const text = await answer.text();
        response.writeHead(answer.status, {
          "content-type": answer.headers.get("content-type") ?? "text/plain",
        });
        response.end(
          path.startsWith("/management") ? grown(text, path, grow) : text,
        );
      })();
    });
    const port = await listen(server);
    return new GrownService(`http://127.0.0.1:${port}`, server);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }
}

function grown(text: string, path: string, grow: Grow): string {
  if (text === "") return text;
  const answer = JSON.parse(text) as Json;
  const { data } = answer;
  if (Array.isArray(data))
    answer.data = data.map((one) => grow(one as Json, path));
  else if (typeof data === "object" && data !== null)
    answer.data = grow(data as Json, path);
  return JSON.stringify(answer);
}
