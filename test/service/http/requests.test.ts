import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, it } from "vitest";
import { openApi } from "../documented.js";
import { LocalWorkspace } from "../../helpers/local-workspace.js";
import { openForTests } from "../../helpers/open-for-tests.js";

const lines: string[] = [];

const local = openForTests(
  new LocalWorkspace({
    logLevel: "trace",
    logTo: { write: (line) => lines.push(line) },
  }),
);

beforeEach(() => local.controlCall("POST", "/reset"));

const send = (headers: Record<string, string | undefined>) =>
  local.us("GET", "/hello", { headers });

describe("a caller of the management API", () => {
  it.each([
    // contract: management-7
    undefined,
    "",
    "Bearer",
    // contract: management-3, management-7, management-18
    "Bearer wrong",
    "Basic local-management-us",
    "local-management-us",
    "Bearer local-management-us more",
    // contract: management-8
    "Bearer local-secret-us",
    // contract: management-8
    "Bearer local-public-us",
  ])("is refused with authorization %j", async (authorization) => {
    const answer = await send({ authorization });
    expect([answer.status, answer.error.code]).toEqual([401, "unauthorized"]);
  });

  // contract: management-3, management-50
  it("gets a greeting with a management key", async () => {
    for (const call of [local.us, local.eu, local.ap]) {
      const { status, body } = await call("GET", "/hello");
      expect([status, body]).toEqual([200, { data: { message: "Hello" } }]);
    }
  });

  // contract: management-22
  it("needs a key even below unknown paths", async () => {
    for (const path of [
      "/nothing",
      "/api-keys/tok_none",
      "/webhooks/wh_none",
    ]) {
      const answer = await local.us("GET", path, {
        headers: { authorization: undefined },
      });
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });
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
    const own = await LocalWorkspace.start({ rateLimit: 0.01 });
    const codeOf = async (headers: Record<string, string | undefined>) =>
      (
        await own.us("POST", "/api-keys", {
          text: "{",
          headers: { "x-api-version": "latest", ...headers },
          undocumented: true,
        })
      ).error.code;
    const stranger = { authorization: "Bearer wrong" };
    expect(await codeOf(stranger)).toBe("unauthorized");
    expect(await codeOf({})).toBe("unsupported_version");
    expect(await codeOf({})).toBe("too_many_requests");
    expect(await codeOf(stranger)).toBe("unauthorized");
    await own.controlCall("POST", "/reset");
    const served = { "x-api-version": "2025-11-20" };
    expect(await codeOf(served)).toBe("malformed_request");
    await own.service.close();
  });
});

describe("a path with an escaped prefix", () => {
  it("matches faults and is logged like the unescaped path", async () => {
    await local.controlCall("POST", "/faults", {
      body: {
        match: { path: "/management/hello" },
        times: 1,
        then: { status: 418 },
      },
    });
    const { managementKey } = local.service.workspaces.us;
    const headers = {
      authorization: `Bearer ${managementKey}`,
      "x-api-version": "2025-11-20",
    };
    const url = `${local.service.url}/%6D%61nagement/h%65llo`;
    expect((await fetch(url, { headers })).status).toBe(418);
    expect((await fetch(url, { headers })).status).toBe(200);
    const { text } = await local.controlCall("GET", "/requests");
    expect(JSON.parse(text)).toMatchObject([
      { path: "/management/hello" },
      { path: "/management/hello" },
    ]);
  });
});

it.each(["TRACE", "QUERY"])("%s is not allowed on any path", async (method) => {
  const { hostname, port } = new URL(local.service.url);
  const { managementKey } = local.service.workspaces.us;
  const status = await new Promise((resolve, reject) =>
    request({
      hostname,
      port,
      method,
      path: "/management/hello",
      headers: {
        authorization: `Bearer ${managementKey}`,
        "x-api-version": "2025-11-20",
      },
    })
      .on("response", (response) => {
        response.resume();
        resolve([response.statusCode, response.headers.allow]);
      })
      .on("error", reject)
      .end(),
  );
  expect(status).toEqual([405, "GET"]);
});

describe("X-API-Version", () => {
  // contract: management-9, management-12
  it.each([undefined, "", "2024-09-01", "latest"])(
    "cannot be %j",
    async (version) => {
      const answer = await send({ "x-api-version": version });
      expect([answer.status, answer.error.code]).toEqual([
        400,
        "unsupported_version",
      ]);
      expect(answer.error.message).toContain("2025-11-20");
    },
  );

  // contract: management-10, management-11, management-13, management-184
  it("of 2024-05-20 is refused with the reason", async () => {
    const answer = await send({ "x-api-version": "2024-05-20" });
    expect(answer.status).toBe(400);
    expect(answer.error.message).toMatch(
      /2024-05-20 is not served.*filtering rules/,
    );
  });
});

describe("a body that cannot be read", () => {
  const post = (text: string, headers: Record<string, string> = {}) =>
    local.us("POST", "/api-keys", {
      text,
      headers,
      undocumented: true,
    });

  // contract: management-17
  it.each(["{", "nope", '{"name": "a",}', "\u0000"])(
    "is refused: %j",
    async (body) => {
      const answer = await post(body);
      expect([answer.status, answer.error.code]).toEqual([
        400,
        "malformed_request",
      ]);
      expect(answer.text).not.toContain("nope");
    },
  );

  it.each(["null", "[]", "5", '"text"', ""])(
    "is refused if it is not an object: %j",
    async (body) => {
      const answer = await post(body);
      expect([answer.status, answer.violated]).toEqual([400, ["body"]]);
    },
  );

  // contract: management-17
  it("is refused if it is too large or not JSON", async () => {
    const large = await post(JSON.stringify({ name: "x".repeat(2_000_000) }));
    expect([large.status, large.error.code]).toEqual([
      413,
      "payload_too_large",
    ]);
    const form = await post("name=x", {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect([form.status, form.error.code]).toEqual([400, "malformed_request"]);
  });

  it.each(["text/plain;charset=UTF-8", "text/x-json", undefined])(
    "is read as JSON with the content type %j, except in control calls",
    async (type) => {
      const headers = { "content-type": type };
      const text = JSON.stringify({ type: "secret", name: "plain" });
      const made = await local.us("POST", "/api-keys", {
        text,
        headers,
        undocumented: true,
      });
      expect([made.status, made.data.name]).toEqual([201, "plain"]);
      const update = JSON.stringify({ name: "newer" });
      const path = `/api-keys/${made.data.id}`;
      for (const method of ["PATCH", "PUT", "POST"]) {
        const answer = await local.us(method, path, {
          text: update,
          headers,
          undocumented: true,
        });
        if (answer.status !== 405) expect(answer.data.name).toBe("newer");
      }
      const reset = await local.controlCall("POST", "/clock", {
        text: '{"advance":"1s"}',
        headers,
        undocumented: true,
      });
      expect([reset.status, reset.error.code]).toEqual([
        415,
        "unsupported_media_type",
      ]);
    },
  );

  it("keeps texts unchanged", async () => {
    const name = "naïve 💶 'x'; DROP TABLE api_keys; -- \\u0000 \" \u2028";
    const { data } = await local.us("POST", "/api-keys", {
      body: { type: "secret", name },
    });
    expect((await local.us("GET", `/api-keys/${data.id}`)).data.name).toBe(
      name,
    );
  });

  // contract: management-24
  it("is refused with U+0000, which would cut off a text", async () => {
    for (const name of ["ab\u0000cd", "abc\u0000"]) {
      const body = { type: "secret", name };
      const answer = await local.us("POST", "/api-keys", { body });
      expect([answer.status, answer.error.code]).toEqual([
        400,
        "malformed_request",
      ]);
    }
  });

  it("cannot change prototypes", async () => {
    const answer = await post(
      '{"type":"secret","name":"abc","constructor":{"prototype":{"status":"x"}}}',
    );
    expect(answer.violated).toEqual(["constructor"]);
  });

  // contract: management-17
  it("gets an answer even if it is not HTTP", async () => {
    const socket = connect(
      Number(new URL(local.service.url).port),
      "127.0.0.1",
    );
    socket.write(
      "GET / NONSENSE\r\nAuthorization: Bearer canary-garbage\r\n\r\n",
    );
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(answer).toMatch(/\r\n\r\n\{"error":\{"code":"malformed_request"/);
    expect(lines.join("")).not.toContain("canary-garbage");
  });
});

describe("an unknown path or method", () => {
  it.each([
    ["GET", "/nothing"],
    ["GET", "/api-keys/a/b"],
    ["POST", "/filtering-rules/a/b"],
    ["GET", "/%zz"],
  ])("is refused: %s %s", async (method, path) => {
    const { status, error } = await local.us(method, path, {
      undocumented: true,
    });
    expect([status, error.code]).toEqual(
      path === "/%zz" ? [400, "malformed_request"] : [404, "not_found"],
    );
  });

  it("is refused with the list of allowed methods", async () => {
    const answer = await local.us("PUT", "/webhooks/wh_1", { body: {} });
    expect([answer.status, answer.error.code]).toEqual([
      405,
      "method_not_allowed",
    ]);
    expect(answer.headers.get("allow")).toBe("GET, PATCH, DELETE");
  });

  it("is refused outside of the surfaces, too", async () => {
    const response = await fetch(`${local.service.url}/nothing`);
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: { code: "not_found", message: "There is no GET /nothing." } },
    ]);
  });
});

describe("GET /openapi.json", () => {
  // contract: management-1, management-239
  it("lists every operation with its errors and its security", async () => {
    const { openapi, paths } = await openApi();
    expect(openapi).toBe("3.1.0");
    const codeOf = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map(
        (method) => `${method.toUpperCase()} ${path}`,
      ),
    );
    expect(codeOf.filter((name) => name.includes("/management"))).toEqual([
      "GET /management/hello",
      "GET /management/api-keys",
      "POST /management/api-keys",
      "GET /management/api-keys/{id}",
      "PATCH /management/api-keys/{id}",
      "DELETE /management/api-keys/{id}",
      "GET /management/encryption-keys",
      "GET /management/encryption-keys/{id}",
      "PATCH /management/encryption-keys/{id}",
      "POST /management/encryption-keys/{id}/rotate",
      "POST /management/encryption-keys/{id}/revert",
      "GET /management/environments",
      "POST /management/environments",
      "POST /management/environments/{id}",
      "DELETE /management/environments/{id}",
      "GET /management/filtering-rules",
      "POST /management/filtering-rules",
      "GET /management/filtering-rules/{id}",
      "POST /management/filtering-rules/{id}",
      "DELETE /management/filtering-rules/{id}",
      "POST /management/filtering-rules/bulk",
      "POST /management/filtering-rules/test",
      "GET /management/webhooks",
      "POST /management/webhooks",
      "GET /management/webhooks/{id}",
      "PATCH /management/webhooks/{id}",
      "DELETE /management/webhooks/{id}",
      "POST /management/webhooks/{id}/verification",
      "POST /management/analytics/events",
    ]);
    for (const [path, operations] of Object.entries(paths))
      for (const [method, operation] of Object.entries(operations)) {
        // Reports of the vendor's command line need no key.
        const isReport = path === "/management/analytics/events";
        const isManagement = path.startsWith("/management") && !isReport;
        const wanted = isManagement ? ["400", "401", "429"] : ["400"];
        expect([method, path, Object.keys(operation.responses)]).toEqual([
          method,
          path,
          expect.arrayContaining(wanted),
        ]);
        // The agent has its key in the path.
        const hasKey = !/^\/_local|\/web\/v4\//.test(path) && !isReport;
        expect("security" in operation).toBe(hasKey);
      }
  });
});
