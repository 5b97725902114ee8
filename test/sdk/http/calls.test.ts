import {
  AmbiguousError,
  InvalidInputError,
  ThrottledError,
  UnreachableError,
  type RequestInfo,
} from "@devid/sdk";
import { describe, expect, it, vi } from "vitest";
import { DEFAULT_TIMEOUTS } from "../../../sdk/src/http/timeouts";
import { Redactor } from "../../../sdk/src/http/redact";
import { request } from "../../../sdk/src/http/request";
import { Throttle } from "../../../sdk/src/http/throttle";
import { serverForTest } from "./plain-server";
import { QUICK_RETRY, rejection, workspaceForTests } from "../workspace";

const workspace = workspaceForTests();

const url = "https://a.example/hook";
const throttled = { status: 429, body: { error: { message: "Slow down." } } };

const listing = () =>
  ({
    operation: "Listing",
    method: "GET",
    url: new URL(`${workspace.service.url}/management/webhooks`),
    idempotent: true,
  }) as const;

describe("a throttle with retries", () => {
  it("delays all calls after a 429, even after the last attempt", async () => {
    await workspace.fault({ match: {}, times: 1, then: throttled });
    const throttle = new Throttle(100, 50);
    const transport = {
      throttle,
      redactor: new Redactor(),
      retry: { ...QUICK_RETRY, maxAttempts: 1 },
    };
    const drain = vi.spyOn(throttle, "drain");
    expect(await rejection(request(transport, listing()))).toBeInstanceOf(
      ThrottledError,
    );
    expect(drain).toHaveBeenCalledOnce();
  });

  it("lets repeated calls through first, and the wait does not use up the retry budget", async () => {
    const then = { status: 503, body: { error: { message: "Later." } } };
    await workspace.fault({ match: {}, times: 4, then });
    const throttle = new Throttle(100, 1);
    const attempts: number[] = [];
    const transport = {
      throttle,
      redactor: new Redactor(),
      retry: { maxAttempts: 5, budgetMs: 400, baseDelayMs: 2, maxDelayMs: 4 },
      onRequest: ({ attempt }: RequestInfo) => void attempts.push(attempt),
    };
    const { managementKey } = workspace.service.workspaces.us;
    const authorization = `Bearer ${managementKey}`;
    const headers = { authorization, "x-api-version": "2025-11-20" };
    // All calls together take 0.7 s of the throttle, which is more than the retry
    // budget of each.
    const calls = Array.from({ length: 60 }, () =>
      request(transport, { ...listing(), headers }),
    );
    expect(await Promise.all(calls)).toHaveLength(60);
    expect(attempts).toHaveLength(64);
    const lastRepeated = attempts.findLastIndex((attempt) => attempt > 1);
    expect(lastRepeated).toBeLessThan(40);
  });
});

it.each([
  [
    "throws",
    () => {
      throw new Error("hook is broken");
    },
  ],
  ["rejects", () => Promise.reject(new Error("hook is broken")) as never],
])("an onRequest hook that %s does not lose a token", async (_, onRequest) => {
  const warned = new Promise<Error>((resolve) =>
    process.once("warning", resolve),
  );
  const client = workspace.client({ onRequest });
  const made = await client.apiKeys.create({ type: "secret", name: "key" });
  expect(made.token).toBeTypeOf("string");
  expect((await warned).message).toContain("hook is broken");
});

describe("a value that JSON cannot contain", () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;

  it.each([
    ["a BigInt", { n: 1n }],
    ["a circle", circle],
  ])("as %s in tags is refused with its place", async (_, tags) => {
    const error = await rejection(
      workspace.client().events.update("1234567890123.abcdef", { tags }),
    );
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toContain("tags: cannot be written as JSON");
    expect(await workspace.requests()).toHaveLength(0);
  });
});

describe("an answer that never ends", () => {
  const client = (managementUrl: string) =>
    workspace.client(
      {
        timeouts: { ...DEFAULT_TIMEOUTS, attemptTimeoutMs: 200 },
        retry: { ...QUICK_RETRY, maxAttempts: 2 },
      },
      { managementUrl },
    );

  it("but arrives drop by drop ends at the attempt's deadline", async () => {
    const server = await serverForTest((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    });
    const error = await rejection(client(server.url).webhooks.list());
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ code: "TimeoutError", attempts: 2 });
    expect(
      await rejection(client(server.url).webhooks.create({ url })),
    ).toBeInstanceOf(AmbiguousError);
  });

  it("but floods ends at its largest length", async () => {
    const server = await serverForTest((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const piece = " ".repeat(4 * 1024 * 1024);
      const flood = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on("drain", flood);
      flood();
    });
    const patient = workspace.client({}, { managementUrl: server.url });
    const error = await rejection(patient.webhooks.list());
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({
      code: "UND_ERR_RES_EXCEEDED_MAX_SIZE",
      attempts: 1,
    });
  });
});
