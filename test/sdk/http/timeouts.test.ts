import type { RequestInfo, Timeouts } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { plainServer } from "./plain-server";
import { workspaceForTests } from "../workspace";

const workspace = workspaceForTests();

const TIMEOUTS: Timeouts = {
  connectTimeoutMs: 1_000,
  headersTimeoutMs: 60,
  bodyTimeoutMs: 60,
  attemptTimeoutMs: 10_000,
};

describe("the time limits of a client", () => {
  it("have their defaults if they are undefined", async () => {
    const timeouts = { headersTimeoutMs: undefined } as Partial<Timeouts>;
    const { webhooks, events } = workspace.client({ timeouts });
    expect(await webhooks.list()).toEqual({ data: [] });
    expect((await events.search()).events).toEqual([]);
  });

  it.each([0, -1, NaN, "5"])("cannot be %j", (ms) => {
    const timeouts = { bodyTimeoutMs: ms as number };
    expect(() => workspace.client({ timeouts })).toSay("config/timeouts");
  });
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

  // contract: events-9
  it("after its beginning is requested again", async () => {
    let answers = 0;
    const server = await plainServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      if (answers++ === 0) response.write('{"data":');
      else response.end('{"data":[]}');
    });
    try {
      const seen: RequestInfo[] = [];
      const client = workspace.client(
        { timeouts: TIMEOUTS, onRequest: (info) => seen.push(info) },
        { managementUrl: server.url },
      );
      expect(await client.webhooks.list()).toEqual({ data: [] });
      expect(seen.map(({ failure, status }) => failure ?? status)).toEqual([
        "UND_ERR_BODY_TIMEOUT",
        200,
      ]);
    } finally {
      await server.close();
    }
  });
});

it("a slow answer within the timeout is waited for", async () => {
  await workspace.fault({ match: {}, times: 1, then: { delayMs: 100 } });
  const timeouts = { ...TIMEOUTS, headersTimeoutMs: 5_000 };
  await workspace.client({ timeouts }).webhooks.list();
  expect(await workspace.requests()).toHaveLength(1);
});
