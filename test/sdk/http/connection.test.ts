import { createClient, version, type RequestInfo } from "@devid/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { all } from "../all";
import { json, plainServer, type PlainServer } from "./plain-server";
import {
  configurationFrom,
  QUICK_RETRY,
  workspaceForTests,
} from "../workspace";

describe("a request", () => {
  let server: PlainServer;
  beforeAll(async () => {
    server = await plainServer(({ method }, response) => {
      const data = { id: "wh_1", url: "https://a.example", status: "enabled" };
      json(response, 200, { data: method === "GET" ? [data] : data });
    });
  });
  afterAll(() => server.close());

  const client = (settings = {}) =>
    createClient(
      configurationFrom({
        managementUrl: `${server.url}/base`,
        managementKey: "management-key-1",
        requestsPerSecond: "100000",
        ...settings,
      }),
    );
  const last = () => server.received.at(-1);

  // contract: management-9, management-10
  it("has the key, the version of the API and our version", async () => {
    await client().webhooks.list();
    expect(last()).toMatchObject({
      method: "GET",
      path: "/base/webhooks",
      body: "",
      headers: {
        accept: "application/json",
        authorization: "Bearer management-key-1",
        "user-agent": `devid/${version} node/${process.versions.node} ${process.platform}`,
        "x-api-version": "2025-11-20",
      },
    });
    expect(last()?.headers).not.toHaveProperty("content-type");
    await client({ apiVersion: "2030-01-01" }).webhooks.list();
    expect(last()?.headers["x-api-version"]).toBe("2030-01-01");
  });

  it("has JSON in the service's spelling, without undefined members", async () => {
    await client().webhooks.update("wh_1", {
      description: null,
      url: undefined,
      status: "enabled",
    });
    expect(last()).toMatchObject({
      method: "PATCH",
      path: "/base/webhooks/wh_1",
    });
    expect(last()?.headers["content-type"]).toBe("application/json");
    expect(last()?.body).toBe('{"description":null,"status":"enabled"}');
    await client()
      .environments.update("ae_1", { limitValue: 5 })
      .catch(() => undefined);
    expect(last()?.body).toBe('{"limit_value":5}');
  });

  it("may have no body", async () => {
    await client().webhooks.startVerification("wh_1");
    expect(last()).toMatchObject({ method: "POST", body: "" });
    expect(last()?.headers).not.toHaveProperty("content-type");
  });

  it("uses the connection of the previous request, also of another client", async () => {
    await client().webhooks.list();
    const before = server.connections();
    for (let n = 0; n < 5; n++)
      await client()
        .webhooks.get("wh_1")
        .catch(() => undefined);
    await all(client().webhooks.listAll());
    await client().webhooks.delete("wh_1");
    expect(server.connections()).toBe(before);
  });
});

describe("onRequest", () => {
  const workspace = workspaceForTests();

  it("gets each attempt, without query, headers and body", async () => {
    const seen: RequestInfo[] = [];
    const client = workspace.client({ onRequest: (info) => seen.push(info) });
    await workspace.fault({ match: {}, times: 1, then: { status: 503 } });
    await workspace.fault({ match: {}, times: 1, then: "reset" });
    await client.webhooks.list({ status: "enabled" });
    const about = {
      operation: "Listing webhooks",
      method: "GET",
      url: `${workspace.service.url}/management/webhooks`,
      durationMs: expect.any(Number) as number,
    };
    expect(seen).toEqual([
      { ...about, attempt: 1, status: 503 },
      {
        ...about,
        attempt: 2,
        failure: expect.stringMatching(
          /^(ECONNRESET|UND_ERR_SOCKET)$/,
        ) as string,
      },
      { ...about, attempt: 3, status: 200 },
    ]);
    for (const { durationMs } of seen) expect(durationMs).toBeGreaterThan(0);
  });

  it("gets nothing about a request that was not sent", async () => {
    const seen: RequestInfo[] = [];
    const onRequest = (info: RequestInfo) => seen.push(info);
    const { webhooks } = workspace.client({ onRequest });
    await webhooks.list({ limit: 500 }).catch(() => undefined);
    const keyless = createClient({
      ...configurationFrom({ endpoint: workspace.service.url }),
      retry: QUICK_RETRY,
      onRequest,
    });
    await keyless.webhooks.list().catch(() => undefined);
    expect(seen).toEqual([]);
    expect(await workspace.requests()).toEqual([]);
  });
});
