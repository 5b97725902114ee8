import { describe, expect, it } from "vitest";
import { localForTest, localForTests } from "../../helpers/local-for-tests.js";
import { sendLines } from "../raw-request.js";

const lines: string[] = [];

const local = localForTests({
  logLevel: "trace",
  logTo: { write: (line) => lines.push(line) },
});

const send = (headers: Record<string, string | undefined>) =>
  local.us("GET", "/hello", { headers });

// contract: management-3, management-50
it("a caller of the management API gets a greeting with a management key", async () => {
  for (const call of [local.us, local.eu, local.ap]) {
    const { status, body } = await call("GET", "/hello");
    expect([status, body]).toEqual([200, { data: { message: "Hello" } }]);
  }
});

describe("the answer to a wrong request", () => {
  // contract: management-15
  it("has a code, a message, and the property of each violation", async () => {
    const text = expect.stringMatching(/./) as string;
    const invalid = await local.us("POST", "/api-keys", { body: {} });
    expect(invalid.body).toEqual({
      error: {
        code: text,
        message: text,
        violations: [
          { property: "type", message: text },
          { property: "name", message: text },
        ],
      },
    });
    for (const answer of [
      await send({ authorization: undefined }),
      await local.us("GET", "/api-keys/tok_none"),
    ])
      expect(answer.body).toEqual({ error: { code: text, message: text } });
  });

  // contract: management-22
  it("depends first on the key, then on the rate, the version and the body", async () => {
    const own = await localForTest({ rateLimit: 0.01 });
    const codeOf = async (headers: Record<string, string | undefined>) =>
      (
        await own.us("POST", "/api-keys", {
          ...{ text: "{", undocumented: true },
          headers: { "x-api-version": "latest", ...headers },
        })
      ).error.code;
    const stranger = { authorization: "Bearer wrong" };
    expect(await codeOf(stranger)).toBe("unauthorized");
    expect(await codeOf({})).toBe("unsupported_version");
    expect(await codeOf({})).toBe("too_many_requests");
    expect(await codeOf(stranger)).toBe("unauthorized");
    await own.reset();
    const served = { "x-api-version": "2025-11-20" };
    expect(await codeOf(served)).toBe("malformed_request");
  });
});

it("a path with an escaped prefix matches faults and is logged like the unescaped path", async () => {
  const match = { path: "/management/hello" };
  await local.fault({ match, times: 1, then: { status: 418 } });
  const { url: base, workspaces } = local.service;
  const authorization = `Bearer ${workspaces.us.managementKey}`;
  const headers = { authorization, "x-api-version": "2025-11-20" };
  const url = `${base}/%6D%61nagement/h%65llo`;
  expect((await fetch(url, { headers })).status).toBe(418);
  expect((await fetch(url, { headers })).status).toBe(200);
  const logged = ["GET /hello 418", "GET /hello 200"];
  expect(await local.requests()).toEqual(logged);
});

// contract: management-9, management-12
// contract: management-10, management-11, management-13, management-184
it("X-API-Version of 2024-05-20 is refused with the reason", async () => {
  const answer = await send({ "x-api-version": "2024-05-20" });
  expect(answer.status).toBe(400);
  const reason = /2024-05-20 is not served.*filtering rules/;
  expect(answer.error.message).toMatch(reason);
});

describe("a body that cannot be read", () => {
  const post = (text: string) =>
    local.us("POST", "/api-keys", { text, undocumented: true });

  it("keeps texts unchanged", async () => {
    const name = "naïve 💶 'x'; DROP TABLE api_keys; -- \\u0000 \" \u2028";
    const { data } = await local.us("POST", "/api-keys", {
      body: { type: "secret", name },
    });
    const read = await local.us("GET", `/api-keys/${data.id}`);
    expect(read.data.name).toBe(name);
    const face = '{"type":"secret","name":"a face \\ud83d\\ude00"}';
    expect((await post(face)).data.name).toBe("a face 😀");
  });

  it("cannot change prototypes", async () => {
    const answer = await post(
      '{"type":"secret","name":"abc","constructor":{"prototype":{"status":"x"}}}',
    );
    expect(answer.violated).toEqual(["constructor"]);
  });

  // contract: management-17
  it.each([
    ["GET / NONSENSE", "This is not HTTP."],
    ["GET /?name=Zoë HTTP/1.1", "such as %C3%A9 for é"],
  ])("gets an answer even if it is not HTTP: %s", async (line, problem) => {
    const key = "Authorization: Bearer canary-garbage";
    const answer = await sendLines(local.url, line, key);
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(answer).toMatch(/\r\n\r\n\{"error":\{"code":"malformed_request"/);
    expect(answer).toContain(problem);
    expect(lines.join("")).not.toContain("canary-garbage");
  });
});

describe("an unknown path or method", () => {
  it.each([
    ["GET", "/nothing", {}],
    ["GET", "/api-keys/a/b", {}],
    ["POST", "/filtering-rules/a/b", {}],
    ["POST", "/nothing", { text: "a=1" }],
  ])("is refused: %s %s %j", async (method, path, sent) => {
    const call = { undocumented: true, ...sent };
    const answer = await local.us(method, path, call);
    expect(answer.refusal).toEqual([404, "not_found"]);
  });

  it.each([
    ["GET", {}],
    ["POST", { body: "a=1" }],
  ])("is refused outside of the surfaces, too: %s", async (method, init) => {
    const response = await fetch(`${local.service.url}/nothing`, {
      method,
      ...init,
    });
    const message = `There is no ${method} /nothing.`;
    const error = { code: "not_found", message };
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error });
  });
});

describe("GET /_local/requests", () => {
  const log = async (since = 0) =>
    (await local.controlCall("GET", `/requests?since=${since}`)).body as Record<
      string,
      unknown
    >[];

  it("numbers the requests, and names their keys", async () => {
    await local.moveClock("2030-01-01T00:00:00Z");
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
    expect(answer.violation).toEqual([400, ["since", "until"]]);
  });
});

// operations.test.ts looks for the secrets of callers.
it("secrets of records do not appear in the log or the request log", async () => {
  lines.length = 0;
  const { token } = await local.newKey();
  const url = "http://127.0.0.1:9/hook";
  const body = { url, description: "canary-body" };
  const hook = await local.make("/webhooks", body);
  await local.us("POST", `/webhooks/${hook.id}/verification`);
  await send({ authorization: `Bearer ${token}` });
  const written =
    lines.join("") + (await local.controlCall("GET", "/requests")).text;
  expect(written).toContain("/management/webhooks");
  for (const secret of [token, String(hook["signing_key"]), "canary-"])
    expect(written).not.toContain(secret);
});
