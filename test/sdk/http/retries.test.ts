import {
  ConfigurationError,
  ThrottledError,
  UnreachableError,
} from "@devid/sdk";
import { describe, expect, it, vi } from "vitest";
import { request } from "../../../sdk/src/http/request";
import { Redactor } from "../../../sdk/src/http/redact";
import { Throttle } from "../../../sdk/src/http/throttle";
import {
  QUICK_RETRY,
  rejection,
  Workspace,
  workspaceForTests,
} from "../workspace";

const workspace = workspaceForTests();

const url = "https://a.example";
const status = (code: number, headers?: object) => ({
  status: code,
  headers,
  body: { error: { code: "injected", message: "Injected." } },
});
const statuses = async () =>
  (await workspace.requests()).map((line) => Number(line.split(" ").at(-1)));

describe("a 429", () => {
  it("is repeated within the whole budget, any number of times, also for a create", async () => {
    await workspace.fault({ match: {}, times: 8, then: status(429) });
    const retry = { budgetMs: 20_000, baseDelayMs: 4, maxDelayMs: 8 };
    const { webhooks } = workspace.client({ retry });
    const { id } = await webhooks.create({ url });
    expect(await statuses()).toEqual([...Array<number>(8).fill(429), 201]);
    expect((await webhooks.list()).data).toMatchObject([{ id }]);
  });

  it("that does not end is an error with the number of attempts and a hint", async () => {
    await workspace.fault({ match: {}, then: status(429) });
    // Each look at the clock takes 10 ms.
    let ms = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => (ms += 10));
    const retry = { budgetMs: 1_000, baseDelayMs: 1, maxDelayMs: 2 };
    // A rate of its own has a throttle of its own.
    const settings = { requestsPerSecond: "99998" };
    const { webhooks } = workspace.client({ retry }, settings);
    const error = await rejection(webhooks.list());
    vi.restoreAllMocks();
    const attempts = (await statuses()).length;
    expect(attempts).toBeGreaterThan(8);
    expect(error).toMatchObject({ name: "ThrottledError", attempts });
    expect(error.message).toSay("call/rate-limited", {
      attempts: String(attempts),
    });
  });

  it("says how long its own attempts took, and not how long others were refused", async () => {
    await workspace.fault({ match: {}, then: status(429) });
    // A rate of its own has a throttle of its own.
    const settings = { requestsPerSecond: "99999" };
    const { webhooks } = workspace.client({}, settings);
    await rejection(webhooks.list({ retry: { maxAttempts: 1 } }));
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 4_000);
    const error = await rejection(webhooks.list({ retry: { maxAttempts: 2 } }));
    vi.restoreAllMocks();
    expect(error.message).toContain("The call was tried 2 times in 1 s.");
  });

  it.each(["5000", "off"] as const)(
    "pauses all calls of a client together, at a rate of %s",
    async (rate) => {
      await workspace.fault({
        match: { path: "*/v4/events/*" },
        then: status(429),
      });
      const retry = { budgetMs: 400, baseDelayMs: 50, maxDelayMs: 100 };
      const client = workspace.client(
        { retry },
        { eventsRequestsPerSecond: rate },
      );
      const errors = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          rejection(client.events.get(`${n}`)),
        ),
      );
      expect(errors.map(({ name }) => name)).toEqual(
        Array(20).fill("ThrottledError"),
      );
      // Pauses of at least 25, 50, 50 ms and so on: without the other calls, each call
      // would have at most ten attempts.
      expect((await statuses()).length).toBeLessThanOrEqual(200);
    },
  );

  // contract: management-40
  it("is repeated after the time that the service asks for", async () => {
    const then = status(429, { "retry-after": "1" });
    await workspace.fault({ match: {}, times: 1, then });
    const startedAt = performance.now();
    await workspace.client().webhooks.create({ url });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(995);
    expect(await statuses()).toEqual([429, 201]);
  });

  it("is an error at once if the service asks for more than the budget", async () => {
    const then = status(429, { "retry-after": "3600" });
    await workspace.fault({ match: {}, then });
    const error = await rejection(workspace.client().webhooks.list());
    expect(error).toBeInstanceOf(ThrottledError);
    expect(await statuses()).toEqual([429]);
  });

  it("does not happen to clients that share a key and keep to its rate", async () => {
    const limited = await Workspace.start({ rateLimit: 50 });
    try {
      const client = () => limited.client({}, { requestsPerSecond: "50" });
      await Promise.all(
        Array.from({ length: 60 }, () => client().webhooks.list()),
      );
      expect(await limited.requests()).toEqual(
        Array(60).fill("GET /webhooks 200"),
      );
    } finally {
      await limited.close();
    }
  });
});

it("the retry budget does not include the wait for the throttle before the first attempt", async () => {
  await workspace.fault({
    match: { path: "*/webhooks" },
    times: 1,
    then: status(500),
  });
  const transport = {
    redactor: new Redactor(),
    throttle: new Throttle(10, 1),
    retry: { ...QUICK_RETRY, budgetMs: 400 },
  };
  const call = (path: string) =>
    request(transport, {
      operation: "Reading",
      method: "GET",
      url: new URL(`${workspace.service.url}/management/${path}`),
      headers: {
        authorization: `Bearer ${workspace.service.workspaces.us.managementKey}`,
        "x-api-version": "2025-11-20",
      },
      idempotent: true,
    });
  // The last call waits 0.5 s for its first turn, which is longer than the budget.
  const hellos = Array.from({ length: 5 }, () => call("hello"));
  await Promise.all([...hellos, call("webhooks")]);
  expect((await statuses()).slice(5)).toEqual([500, 200]);
});

describe("a request that cannot be sent", () => {
  it("to a missing service is repeated, also for a create", async () => {
    const gone = await Workspace.start();
    await gone.close();
    const seen: unknown[] = [];
    const client = gone.client({
      onRequest: ({ failure }) => seen.push(failure),
    });
    const error = await rejection(client.webhooks.create({ url }));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({
      operation: `Creating webhook ${url}`,
      origin: gone.service.url,
      code: "ECONNREFUSED",
      attempts: 4,
    });
    expect(seen).toEqual(Array(4).fill("ECONNREFUSED"));
    expect(error.message).toSay("call/unreachable", { url: gone.service.url });
  });

  const wrong = /its character \d+ is U\+[0-9A-F]{4,}/;
  it.each([
    ["two\nlines", wrong],
    ["en–dash", wrong],
    ["“quoted”", wrong],
    ["zero\u200bwidth", wrong],
    ["emoji🔑", wrong],
    ["Bearer key", /the word Bearer in front does not belong to it/],
    ['"key"', /the quotes around it do not belong to it/],
    ["$PROD_KEY", /the name of a variable, in whose place nothing was put/],
    ["${{ secrets.KEY }}", /the name of a variable/],
  ])(
    "with the key %j is refused before the first call, and not told as a failure of the network",
    async (managementKey, why) => {
      const make = () => workspace.client({}, { managementKey });
      expect(make).toThrow(ConfigurationError);
      expect(make).toThrow(/ test setting managementKey .*: /);
      expect(make).toThrow(why);
      expect(await workspace.requests()).toEqual([]);
    },
  );
});
