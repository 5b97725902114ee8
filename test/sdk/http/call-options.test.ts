import { createServer } from "node:net";
import {
  createClient,
  isDevidError,
  isServiceError,
  type ServiceError,
  type ClientOptions,
} from "@devid/sdk";
import { beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { rejection } from "../workspace";
import { json, serverForTest, type PlainServer } from "./plain-server";
import { listen } from "../../helpers/listen";

// JavaScript programs may pass values that TypeScript refuses.
const any = (value: unknown) => value as never;

const HOOK = { id: "wh_1", url: "https://a.example", status: "enabled" };

let server: PlainServer;
/** The server's answers to the requests, in order. The last answer is repeated. */
let answers: ((response: Parameters<typeof json>[0]) => void)[];
beforeEach(async () => {
  answers = [(response) => json(response, 200, { data: HOOK })];
  server = await serverForTest((_, response) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response);
  });
});

const client = (options: ClientOptions = {}) =>
  createClient({
    endpoint: server.url,
    managementKey: "key-1",
    secretKey: "key-2",
    requestsPerSecond: 1000,
    eventsRequestsPerSecond: "off",
    retry: { baseDelayMs: 1, maxDelayMs: 2 },
    ...options,
  });
const fails = (status: number, headers: Record<string, string> = {}) =>
  ((response) => {
    for (const [name, value] of Object.entries(headers))
      response.setHeader(name, value);
    json(response, status, { error: { code: "x", message: "y" } });
  }) satisfies (typeof answers)[0];
const hangs: (typeof answers)[0] = () => undefined;

describe("the timeout of a call", () => {
  it.each(["of the client", "of the call"])(
    "limits all attempts together, if it is an option %s",
    async (whose) => {
      answers = [fails(500), hangs];
      const timeoutMs = 60;
      const call =
        whose === "of the client"
          ? client({ timeoutMs }).webhooks.get("wh_1")
          : client().webhooks.get("wh_1", { timeoutMs });
      const error = await rejection(call);
      expect(error.name).toBe("CallTimeoutError");
      expect(error.message).toSay("call/given-up");
      expect(server.received.length).toBeLessThanOrEqual(2);
    },
  );

  it("includes the wait for the throttle", async () => {
    const slow = client({ requestsPerSecond: 0.01 });
    await slow.webhooks.get("wh_1");
    const waiting = slow.webhooks.get("wh_1", { timeoutMs: 20 });
    expect((await rejection(waiting)).name).toBe("CallTimeoutError");
    expect(server.received).toHaveLength(1);
  });

  it("does not say whether something was made", async () => {
    await client().webhooks.get("wh_1");
    answers = [hangs];
    const making = client().webhooks.create(
      { url: "https://a.example" },
      { timeoutMs: 500 },
    );
    const error = await rejection(making);
    expect(error.name).toBe("AmbiguousError");
    expect(error.message).toContain("no answer within 500 ms");
    expect(server.received).toHaveLength(2);
  });

  it("says that nothing was made if there was no connection", async () => {
    const socket = createServer();
    const port = await listen(socket);
    try {
      const error = await rejection(
        client({ endpoint: `https://127.0.0.1:${port}` }).webhooks.create(
          { url: "https://a.example" },
          { timeoutMs: 300 },
        ),
      );
      expect(error.name).toBe("CallTimeoutError");
    } finally {
      socket.close();
    }
  });

  it("does not replace a signal", async () => {
    answers = [hangs];
    const reason = new Error("enough");
    const aborted = new AbortController();
    const options = { timeoutMs: 5_000, signal: aborted.signal };
    const call = rejection(client().events.get("e1", options));
    aborted.abort(reason);
    expect(await call).toBe(reason);
  });

  it.each([0, -1, NaN, any("5"), any(null)])(
    "cannot be %j",
    async (timeoutMs) => {
      const error = await rejection(
        client().webhooks.get("wh_1", { timeoutMs }),
      );
      expect(error.message).toContain("timeoutMs: must be a number above 0");
      expect(server.received).toEqual([]);
    },
  );
});

it("the number of attempts comes from the call, or else from the client", async () => {
  answers = [fails(500)];
  const retry = { maxAttempts: 3 };
  await rejection(client({ retry }).webhooks.get("wh_1"));
  expect(server.received).toHaveLength(3);
  const once = { retry: { maxAttempts: 1 } };
  await rejection(client({ retry }).webhooks.get("wh_1", once));
  await rejection(client({ retry }).webhooks.list(once));
  await rejection(client({ retry }).events.search({}, once));
  expect(server.received).toHaveLength(6);
});

it("a call refuses retry options that createClient would refuse", async () => {
  const retry = { maxAttempt: 1 } as object;
  const error = await rejection(client().webhooks.get("wh_1", { retry }));
  expect(error.name).toBe("InvalidInputError");
  expect(error.message).toContain(": is not known; did you mean maxAttempts?");
  expect(server.received).toEqual([]);
});

describe("a given fetch function", () => {
  it("gets the same request as undici", async () => {
    const seen: string[] = [];
    const { webhooks } = client({
      fetch: (url, init) => {
        seen.push(`${init.method} ${url.pathname}`);
        return fetch(url, init);
      },
    });
    expect((await webhooks.get("wh_1")).id).toBe("wh_1");
    await webhooks.update("wh_1", { description: "x" });
    expect(seen).toEqual([
      "GET /management/webhooks/wh_1",
      "PATCH /management/webhooks/wh_1",
    ]);
    expect(server.received[1]).toMatchObject({
      body: '{"description":"x"}',
      headers: {
        authorization: "Bearer key-1",
        "content-type": "application/json",
      },
    });
  });

  it("is called again after a failure, and ends in the same errors", async () => {
    answers = [fails(503), fails(404, { "x-request-id": "r-1" })];
    const error = await rejection(client({ fetch }).events.get("e1"));
    expect(error).toMatchObject({
      name: "EventNotFoundError",
      requestId: "r-1",
    });
    await server.close();
    const retry = { maxAttempts: 1 };
    const gone = await rejection(client({ fetch, retry }).events.get("e1"));
    expect(gone).toMatchObject({
      name: "UnreachableError",
      code: "ECONNREFUSED",
    });
  });

  // failure.test.ts has more errors of a fetch.
  it.each<[string, () => unknown, RegExp]>([
    [
      "answers nothing",
      () => Promise.resolve(),
      /^The option fetch of createClient cannot be used: .* its answer is undefined\.$/,
    ],
    ["answers nothing at once", () => undefined, /its answer is undefined/],
    ["answers a text", () => Promise.resolve("{}"), /is of type string/],
    ["answers an object", () => Promise.resolve({}), /is of type object/],
    [
      "has a mistake",
      () => (undefined as unknown as { x: number }).x,
      /^Cannot read properties of undefined/,
    ],
  ])("is told, and not the network, if it %s", async (_, own, message) => {
    let calls = 0;
    const counted = (() => (calls++, own())) as unknown as typeof fetch;
    const error = await rejection(client({ fetch: counted }).events.get("e1"));
    expect(error.message).toMatch(message);
    expect(error.name).not.toBe("UnreachableError");
    expect(calls).toBe(1);
    const made = client({ fetch: counted }).webhooks.create({
      url: "https://a.example",
    });
    expect((await rejection(made)).name).toBe("AmbiguousError");
  });

  it("does not follow a redirect, because that would send the key elsewhere", async () => {
    answers = [
      (response) => {
        response.setHeader("location", "/elsewhere");
        json(response, 302, {});
      },
    ];
    const error = await rejection(client({ fetch }).webhooks.get("wh_1"));
    expect(error.name).toBe("UnexpectedAnswerError");
    expect(server.received).toHaveLength(1);
  });
});

it("an error from the service has the parts of the answer, without cookies and keys", async () => {
  answers = [
    fails(429, {
      "retry-after": "7",
      "x-request-id": "r-1",
      "set-cookie": "warbler=1",
      "x-echo": "Bearer key-1",
    }),
  ];
  const once = { retry: { maxAttempts: 1 } };
  const error = await rejection(client().webhooks.get("wh_1", once));
  if (!isServiceError(error)) throw error;
  expect(error).toMatchObject({
    name: "ThrottledError",
    status: 429,
    code: "x",
    retryAfterMs: 7_000,
    requestId: "r-1",
  });
  expect(error.headers).toMatchObject({
    "content-type": expect.stringContaining("json") as string,
    "x-echo": "Bearer [redacted]",
  });
  expect(error.headers).not.toHaveProperty("set-cookie");
  expect(Object.keys(error)).not.toContain("headers");
});

describe("isDevidError", () => {
  it("recognises errors of devid, also by name", async () => {
    answers = [fails(404)];
    const error: unknown = await rejection(client().webhooks.get("wh_1"));
    expect(isDevidError(error)).toBe(true);
    expect(isDevidError(error, "NotFoundError")).toBe(true);
    expect(isDevidError(error, "ThrottledError")).toBe(false);
    for (const other of [new Error("x"), undefined, "x", { name: "x" }])
      expect(isDevidError(other)).toBe(false);
    if (isDevidError(error, "ValidationError"))
      expectTypeOf(error.violations[0]?.property).toEqualTypeOf<
        string | undefined
      >();
    if (isDevidError(error, "ThrottledError"))
      expectTypeOf(error).toExtend<ServiceError>();
  });

  it("recognises errors of another copy of the package", () => {
    class Other extends Error {
      override name = "NotFoundError";
    }
    const brand = Symbol.for("devid.error");
    Object.defineProperty(Other.prototype, brand, { value: true });
    expect(isDevidError(new Other(), "NotFoundError")).toBe(true);
  });
});
