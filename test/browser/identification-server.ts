import type { ServerResponse } from "node:http";
import type { IdentificationAnswer } from "../../service/agent/wire";
import { IdentificationBody } from "../../service/src/agent/identification-wire";
import { json, plainServer, type Received } from "../sdk/http/plain-server";

/** The answer to one request. */
export type Respond = (response: ServerResponse, sent: Received) => void;

/** A server that gives the agent prepared answers in the form of the wire schema. */
export interface IdentificationServer {
  /** A value for the agent's `endpoints`. */
  readonly endpoint: string;
  /** The requests, without preflights. */
  readonly posted: () => readonly Received[];
  /** The body of the last request, parsed by the wire schema. */
  readonly lastBody: () => IdentificationBody;
  /** Sets the answer to later requests. By default each request gets its own event. */
  readonly respond: (respond: Respond) => void;
  close(): Promise<void>;
}

/** Starts an identification server. */
export async function identificationServer(): Promise<IdentificationServer> {
  let count = 0;
  let respond: Respond = (response, { body }) => {
    const { storage_id = `stored-${count}` } = read(body);
    answer(response, { event_id: `event-${++count}`, storage_id });
  };
  const server = await plainServer((sent, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "content-type");
    if (sent.method === "OPTIONS") response.writeHead(204).end();
    else respond(response, sent);
  });
  const posted = () =>
    server.received.filter(({ method }) => method === "POST");
  return {
    endpoint: server.url,
    posted,
    lastBody: () => read(posted().at(-1)?.body ?? ""),
    respond: (next) => (respond = next),
    close: () => server.close(),
  };
}

/** Answers with an event. The default of `visitor_id` is `visitor`. */
export function answer(
  response: ServerResponse,
  changes: Partial<IdentificationAnswer>,
): void {
  json(response, 200, {
    event_id: "event",
    visitor_id: "visitor",
    storage_id: "stored",
    ...changes,
  });
}

function read(body: string): IdentificationBody {
  return IdentificationBody.parse(JSON.parse(body));
}
