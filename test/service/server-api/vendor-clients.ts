import { connect } from "node:net";
import { Answer } from "../answer.js";

/** The address of a request, and its key. */
interface Destination {
  /** Host and port. */
  readonly host: string;
  readonly key: string;
}

/** A request, without the client's own parts. */
interface Call extends Destination {
  /** Method, path and query, as in the first line. */
  readonly line: string;
  readonly body?: string;
}

/** The request of a client, byte for byte. */
type Client = (call: Call) => string;

/** Headers that the `fetch` of Node 20 sends, which both Node clients use. */
const nodeFetch =
  (keyHeader: (key: string) => string | undefined): Client =>
  ({ line, host, key, body }) =>
    bytes(
      [
        `${line} HTTP/1.1`,
        `host: ${host}`,
        "connection: keep-alive",
        keyHeader(key),
        body !== undefined && "content-type: text/plain;charset=UTF-8",
        "accept: */*",
        "accept-language: *",
        "sec-fetch-mode: cors",
        "user-agent: node",
        "accept-encoding: gzip, deflate",
        body !== undefined && `content-length: ${Buffer.byteLength(body)}`,
      ],
      body,
    );

/**
 * The server clients of the service's vendor, each with the version that was
 * recorded. Header names, their order and the queries are the clients' own.
 */
export const VENDOR_CLIENTS = {
  /** npm, 7.7.1, for version 4. */
  node: nodeFetch((key) => `Authorization: Bearer ${key}`),
  /** npm, 6.13.1, for version 3. */
  legacyNode: nodeFetch((key) => `Auth-API-Key: ${key}`),
  /** The same client, configured to send the key in the query. */
  legacyNodeQuery: nodeFetch(() => undefined),
  /** PyPI, 9.9.0, for version 4. */
  python: ({ line, host, key, body }) =>
    bytes(
      [
        `${line} HTTP/1.1`,
        `Host: ${host}`,
        "Accept-Encoding: identity",
        body !== undefined && `Content-Length: ${Buffer.byteLength(body)}`,
        "Accept: application/json",
        body !== undefined && "Content-Type: application/json",
        "User-Agent: fingerprint-pro-server-python-sdk/9.9.0",
        `Authorization: Bearer ${key}`,
      ],
      body,
    ),
  /** PyPI, 8.15.1, for version 3. */
  legacyPython: ({ line, host, key, body }) =>
    bytes(
      [
        `${line} HTTP/1.1`,
        `Host: ${host}`,
        "Accept-Encoding: identity",
        body !== undefined && `Content-Length: ${Buffer.byteLength(body)}`,
        "Accept: application/json",
        line.startsWith("PUT") && "Content-Type: application/json",
        "User-Agent: Swagger-Codegen/8.15.1/python",
        `Auth-API-Key: ${key}`,
        !line.startsWith("PUT") && "Content-Type: application/json",
      ],
      body,
    ),
} as const satisfies Record<string, Client>;

/** Sends a request like one of the clients, and reads the answer. */
export function sendAs(
  client: Client,
  { host, ...call }: Call,
): Promise<Answer> {
  const [hostname = "", port = ""] = host.split(":");
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      const answer = readAnswer(Buffer.concat(chunks));
      if (!answer) return;
      socket.destroy();
      resolve(answer);
    });
    socket.on("error", reject);
    socket.on("end", () => reject(new Error(`${call.line}: cut off`)));
    socket.write(client({ host, ...call }));
  });
}

function bytes(
  head: readonly (string | false | undefined)[],
  body: string | undefined,
): string {
  const lines = head.filter((line) => typeof line === "string");
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** An answer whose head has its length; undefined while a part is missing. */
function readAnswer(received: Buffer): Answer | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [start = "", ...lines] = received
    .toString("latin1", 0, end)
    .split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const length = Number(headers.get("content-length"));
  const body = received.subarray(end + 4);
  if (body.length < length) return undefined;
  const status = Number(start.split(" ")[1]);
  return new Answer(status, headers, body.toString("utf8"));
}
