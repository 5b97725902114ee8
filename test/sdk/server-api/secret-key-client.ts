import {
  createClient,
  type Client,
  type ClientOptions,
  type Settings,
} from "@devid/sdk";
import type { ServerResponse } from "node:http";
import {
  json,
  serverForTest,
  type PlainServer,
  type Received,
} from "../http/plain-server";
import { configurationFrom, QUICK_RETRY } from "../workspace";

/** The secret key of these clients. */
export const SECRET_KEY = "a-secret-key";

/** A client whose surfaces all have one address. It hardly waits before a retry. */
export function clientAt(
  endpoint: string,
  settings: Settings = {},
  options: ClientOptions = {},
): Client {
  const configuration = configurationFrom({
    endpoint,
    secretKey: SECRET_KEY,
    eventsRequestsPerSecond: "off",
    ...settings,
  });
  return createClient({ ...configuration, retry: QUICK_RETRY, ...options });
}

const SETTLE = "/settle";

/** The answer of a plain server: a status and a body, or a function. */
export type Answer =
  | readonly [status: number, body: unknown]
  | ((request: Received, response: ServerResponse) => void);

/**
 * A plain server that gives these answers in order and repeats the last, and a client
 * of it. `settle()` waits until all sent requests have arrived. The server is closed after the test.
 */
export async function answering(
  ...answers: readonly Answer[]
): Promise<PlainServer & { readonly client: Client; settle(): Promise<void> }> {
  let n = 0;
  const server = await serverForTest((request, response) => {
    if (request.path === SETTLE) return json(response, 200, {});
    const answer = answers[Math.min(n++, answers.length - 1)];
    if (typeof answer === "function") answer(request, response);
    else json(response, answer?.[0] ?? 200, answer?.[1]);
  });
  return {
    ...server,
    client: clientAt(server.url),
    settle: async () => {
      for (let i = 0; i < 5; i++)
        await fetch(server.url + SETTLE).then((answer) => answer.text());
    },
  };
}

/** The body of an error. */
export const failure = (code: string, message = "a message") => ({
  error: { code, message },
});

/** A small event. */
export const event = (id: string) => ({ event_id: id, timestamp: 1 });
