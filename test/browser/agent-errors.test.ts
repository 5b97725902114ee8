// @module-tag chromium
import { describe, expect, it } from "vitest";
import { agentSite, getOnce, only, openShop } from "./agent-site";
import { json } from "../sdk/http/plain-server";
import { shopFixture } from "./shop-fixture";

describe("if an identification fails, the agent", () => {
  const shop = shopFixture();
  const address = () => `${shop.service.endpoint}/web/v4/key`;

  // contract: agent-43
  it.each([
    [200, "text/html", "<p>Welcome", "bad_response_format"],
    [200, "application/json", '{"event_id":1}', "bad_response_format"],
    [404, "text/html", "<p>Not here", "bad_response_format"],
    [502, "text/html", "<p>Bad gateway", "server_error"],
  ])(
    "reports that %i %s %j is not an answer of the service",
    async (status, type, text, code) => {
      shop.service.respond((response) =>
        response.writeHead(status, { "content-type": type }).end(text),
      );
      await shop.open();
      expect((await shop.get()).error).toEqual({
        code,
        event_id: null,
        message: expect.toSay("agent/no-answer-of-the-service", {
          address: address(),
          status: String(status),
        }),
        isKnown: true,
      });
    },
  );

  it("reports that the connection broke within the answer", async () => {
    shop.service.respond((response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("{", () => response.destroy());
    });
    await shop.open();
    const { error } = await shop.get();
    expect(error).toHaveProperty("code", "network_connection");
  });

  // contract: agent-43
  it("reports that the page aborted the request", async () => {
    shop.service.respond(() => undefined);
    await shop.open();
    await shop.page.evaluate(() => {
      const fetch = window.fetch.bind(window);
      window.fetch = (input, init) =>
        fetch(input, { ...init, signal: AbortSignal.abort() });
    });
    expect((await shop.get()).error).toEqual({
      code: "network_abort",
      event_id: null,
      message: expect.toSay("agent/broken-off", { address: address() }),
      isKnown: true,
    });
  });

  // contract: agent-43
  it("reports that the page's content security policy forbids the request", async () => {
    const site = await agentSite("connect-src 'self'");
    await openShop(shop.page, site.url);
    const { error } = await shop.get();
    await site.close();
    expect(error).toMatchObject({
      code: "csp_block",
      message: expect.stringContaining("connect-src") as string,
    });
    expect(shop.service.posted()).toEqual([]);
  });

  // contract: agent-31, agent-42, agent-43
  it("stops when the time is over, also while it reads the answer", async () => {
    for (const hang of ["at once", "within the answer"]) {
      shop.service.respond((response) => {
        if (hang === "within the answer") response.writeHead(200).write("{");
      });
      await shop.open();
      const { error } = await shop.get({}, { timeout: 300 });
      expect(error, hang).toEqual({
        code: "client_timeout",
        event_id: null,
        message: expect.toSay("agent/no-answer-in-time", {
          address: address(),
        }),
        isKnown: true,
      });
    }
  });

  it("tries the next endpoint if the service failed, but not if the service refused", async () => {
    await shop.open();
    const endpoints = only([
      `${shop.service.endpoint}/first`,
      `${shop.service.endpoint}/second`,
    ]);
    const tried = async (status: number, code: string) => {
      const before = shop.service.posted().length;
      shop.service.respond((response) =>
        json(response, status, { error: { code, message: "m" } }),
      );
      const { error } = await getOnce(shop.page, { apiKey: "key", endpoints });
      expect(error).toHaveProperty("code", code);
      return shop.service.posted().length - before;
    };
    expect(await tried(500, "failed")).toBe(2);
    expect(await tried(429, "too_many_requests")).toBe(1);
    expect(await tried(403, "public_api_key_not_found")).toBe(1);
  });
});
