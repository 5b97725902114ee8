import { once } from "node:events";
import { request, type IncomingMessage, type RequestOptions } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { Answer } from "./answer.js";

/** Sends these lines unchanged, and returns all that comes back. */
export async function sendLines(
  url: string | undefined,
  ...lines: string[]
): Promise<string> {
  const { hostname, port } = new URL(String(url));
  const socket = connect(Number(port), hostname);
  socket.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
  return text(socket);
}

/** A request with nothing that fetch adds, and with what fetch refuses, such as any host. */
export async function sendRaw(
  url: string,
  { headers = {}, ...options }: RequestOptions,
  body?: string | Uint8Array,
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const sent = request({
    ...{ hostname, port, agent: false, ...options },
    headers: Object.fromEntries(
      Object.entries(headers).filter(([, value]) => value !== undefined),
    ),
  });
  const [response] = (await once(sent.end(body), "response")) as [
    IncomingMessage,
  ];
  const received = Object.entries(response.headersDistinct).map(
    ([name, values = []]): [string, string] => [name, values.join(", ")],
  );
  const { statusCode = 0 } = response;
  return new Answer(statusCode, new Headers(received), await text(response));
}
