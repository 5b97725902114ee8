import { describe, expect, it } from "vitest";
import { localForTests } from "../../helpers/local-for-tests.js";

const lines: string[] = [];

const local = localForTests({
  logLevel: "trace",
  logTo: { write: (line) => lines.push(line) },
});

const send = (headers: Record<string, string | undefined>) =>
  local.us("GET", "/hello", { headers });

describe("GET /_local/requests", () => {
  const log = async (since?: number) =>
    (
      await local.controlCall(
        "GET",
        `/requests${since === undefined ? "" : `?since=${since}`}`,
      )
    ).body as Record<string, unknown>[];

  it("numbers the requests, and names their keys", async () => {
    await local.controlCall("POST", "/clock", {
      body: { now: "2030-01-01T00:00:00Z" },
    });
    await local.us("GET", "/webhooks?limit=3");
    await local.eu("POST", "/api-keys", { body: {} });
    await send({ authorization: undefined });
    await send({ authorization: "Bearer local-secret-ap" });
    await send({ authorization: "Bearer nobody" });
    await fetch(`${local.service.url}/nothing`);
    const seen = await log();
    expect(
      seen.map((row) =>
        ["n", "method", "path", "status", "surface", "key"]
          .map((member) => String(row[member]))
          .join(" "),
      ),
    ).toEqual([
      "1 GET /management/webhooks 200 management us management",
      "2 POST /management/api-keys 400 management eu management",
      "3 GET /management/hello 401 management null",
      expect.stringMatching(/^4 GET \S+ 401 management ap secret tok_/),
      "5 GET /management/hello 401 management unknown",
      "6 GET /nothing 404 other null",
    ]);
    for (const { at } of seen) expect(at).toMatch(/^2030-01-01T00:00:/);
    expect((await log(4)).map(({ n }) => n)).toEqual([5, 6]);
    expect(await log(6)).toEqual([]);
  });

  it("refuses a value that is not a number", async () => {
    const answer = await local.controlCall("GET", "/requests?since=x&until=5");
    expect([answer.status, answer.violated]).toEqual([400, ["since", "until"]]);
  });
});

describe("secrets", () => {
  it("do not appear in the log or the request log", async () => {
    lines.length = 0;
    const key = (
      await local.us("POST", "/api-keys", {
        body: { type: "secret", name: "key" },
      })
    ).data;
    const url = "http://127.0.0.1:9/hook";
    const hook = (
      await local.us("POST", "/webhooks", {
        body: { url, description: "canary-body" },
      })
    ).data;
    await local.us("POST", `/webhooks/${hook.id}/verification`);
    const [encryption] =
      (await local.us("GET", "/encryption-keys?cursor=&limit=canary-query"))
        .error.violations ?? [];
    expect(encryption).toBeDefined();
    await local.us("GET", "/hello?api_key=canary-query");
    await send({ authorization: "Bearer canary-token" });
    await send({ authorization: `Bearer ${String(key.token)}` });
    await local.us("POST", "/api-keys", { text: '{"token": canary-json' });
    const written =
      lines.join("") + (await local.controlCall("GET", "/requests")).text;
    expect(written).toContain("/management/webhooks");
    for (const secret of [
      "local-management-us",
      "local-secret-us",
      String(key.token),
      String(hook.signing_key),
      "canary-",
    ])
      expect(written).not.toContain(secret);
  });
});
