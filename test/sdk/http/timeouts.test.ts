import type { RequestInfo, Timeouts } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { DEFAULT_TIMEOUTS } from "../../../sdk/src/http/timeouts";
import { workspaceForTests } from "../workspace";

const workspace = workspaceForTests();

describe("the time limits of a client", () => {
  it("have their defaults if they are undefined", async () => {
    const timeouts = { headersTimeoutMs: undefined } as Partial<Timeouts>;
    const { webhooks, events } = workspace.client({ timeouts });
    expect(await webhooks.list()).toEqual({ data: [] });
    expect((await events.search()).events).toEqual([]);
  });

  it.each(
    [Infinity, 1.5, 2 ** 40].flatMap((ms) =>
      [undefined, fetch].map((fetch) => [ms * 1_000, fetch] as const),
    ),
  )(
    "may be longer than a timer allows, and no whole number: %d",
    async (ms, fetch) => {
      const timeouts = Object.fromEntries(
        Object.keys(DEFAULT_TIMEOUTS).map((name) => [name, ms + 0.5]),
      );
      const retry = { budgetMs: ms };
      const { webhooks } = workspace.client({
        ...{ timeouts, fetch, retry, timeoutMs: ms },
      });
      expect(await webhooks.list()).toEqual({ data: [] });
    },
  );
});

describe("an answer that does not come in time", () => {
  it.each([
    ["undici", undefined],
    ["a fetch of the caller", fetch],
  ])(
    "is requested again after a share of the budget, by %s",
    async (_, fetch) => {
      await workspace.fault({ match: {}, times: 1, then: "hang" });
      const seen: RequestInfo[] = [];
      const client = workspace.client({
        fetch,
        retry: { budgetMs: 3_600, baseDelayMs: 1, maxDelayMs: 2 },
        onRequest: (info) => seen.push(info),
      });
      expect(await client.webhooks.list()).toEqual({ data: [] });
      expect(seen.map(({ failure, status }) => failure ?? status)).toEqual([
        fetch ? "TimeoutError" : "UND_ERR_HEADERS_TIMEOUT",
        200,
      ]);
    },
  );

  it.each<[string, () => Promise<Response>]>([
    ["that never answers", () => new Promise(() => undefined)],
    [
      "whose body never ends",
      () => Promise.resolve(new Response(new ReadableStream())),
    ],
  ])("ends the call by a fetch %s and ignores its signal", async (_, fetch) => {
    const retry = { maxAttempts: 1 };
    const late = workspace.client({ fetch, retry, timeoutMs: 50 });
    await expect(late.webhooks.list()).rejects.toMatchObject({
      name: "CallTimeoutError",
    });
    const timeouts = { attemptTimeoutMs: 50 };
    const tried = workspace.client({ fetch, retry, timeouts });
    await expect(tried.webhooks.list()).rejects.toMatchObject({
      code: "TimeoutError",
    });
  });

  it("to a write is not requested again before its timeout", async () => {
    const { id } = await workspace.client().webhooks.create({
      url: "https://a.example",
    });
    await workspace.fault({ match: {}, times: 1, then: { delayMs: 200 } });
    const client = workspace.client({
      retry: { budgetMs: 300, baseDelayMs: 1, maxDelayMs: 2 },
    });
    await client.webhooks.update(id, { status: "disabled" });
    expect(await workspace.requests()).toHaveLength(2);
  });
});
