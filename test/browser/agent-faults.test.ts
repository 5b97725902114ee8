// @module-tag chromium
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../helpers/local-workspace";
import { getOnce, only, openShop } from "./agent-site";
import { shopFixture } from "./shop-fixture";

describe("a fault of the local service", () => {
  const shop = shopFixture();
  let local: LocalWorkspace;
  beforeAll(async () => {
    local = await LocalWorkspace.start();
  });
  afterAll(() => local.close());
  beforeEach(async () => {
    await local.reset();
    await local.forgetFaults();
    await openShop(shop.page, shop.site.url);
  });

  const identify = (timeout?: number) =>
    getOnce(
      shop.page,
      { apiKey: "local-public-us", endpoints: only(`${local.url}/us`) },
      { timeout },
    );
  const events = async () => {
    const answer = await fetch(`${local.url}/us/v4/events`, {
      headers: { authorization: "Bearer local-secret-us" },
    });
    return ((await answer.json()) as { events: unknown[] }).events.length;
  };
  const error = (code: string) => ({ error: { code, message: "on purpose" } });

  it.each([
    [429, error("too_many_requests"), "too_many_requests"],
    [500, error("failed"), "failed"],
    [403, { ...error("wrong_region"), event_id: "event-9" }, "wrong_region"],
    [502, "<p>Bad gateway", "server_error"],
    [200, '{"event_id', "bad_response_format"],
  ])(
    "with %i %j reaches the page unchanged, and only once",
    async (status, body, code) => {
      for (const after of [false, true]) {
        await local.reset();
        await local.fault({
          match: { surface: "agent" },
          times: 1,
          then: { status, body, headers: { "retry-after": "1" } },
          after,
        });
        const outcome = await identify();
        expect(outcome.error).toMatchObject({
          code,
          event_id:
            typeof body === "object" && "event_id" in body
              ? body.event_id
              : null,
        });
        expect(await events()).toBe(after ? 1 : 0);
        expect((await identify()).result).toHaveProperty("visitor_id");
      }
    },
  );

  it("applies to the page's request, not to its preflight", async () => {
    await local.fault({
      match: { path: "/us/web/*" },
      times: 1,
      then: { delayMs: 60_000 },
    });
    expect((await identify(500)).error).toHaveProperty(
      "code",
      "client_timeout",
    );
    expect(await local.requests()).toEqual([
      "OPTIONS /us/web/v4/local-public-us 204",
      "POST /us/web/v4/local-public-us 0",
    ]);
  });

  it("that cuts off the answer breaks the page's connection", async () => {
    await local.fault({
      match: { surface: "agent" },
      times: 1,
      then: { truncate: 5 },
    });
    expect((await identify()).error).toHaveProperty(
      "code",
      "network_connection",
    );
  });

  it("can hide the answer from the page", async () => {
    await local.fault({
      match: { surface: "agent" },
      times: 1,
      then: {
        status: 403,
        body: error("wrong_region"),
        headers: { "Access-Control-Allow-Origin": "https://other.example" },
      },
    });
    expect((await identify()).error).toHaveProperty(
      "code",
      "network_connection",
    );
  });
});
