import { gzipSync } from "node:zlib";
import * as wire from "@devid/sdk/wire";
import { SERVER_OPERATIONS } from "@devid/sdk/wire/events";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { LocalWorkspace } from "../helpers/local-workspace.js";
import { VERSION_3_DAY } from "../helpers/version-3-day.js";
import type { Answer } from "../service/answer.js";
import { assertDocumented, openApi } from "../service/documented.js";
import { sendRaw } from "../service/raw-request.js";
import { localForTest, localForTests } from "../helpers/local-for-tests.js";

/** What the contract says of all operations of a surface. */
interface Rules {
  /** The development key of its kind. */
  readonly key: string;
  /** The status and code without a key, with a key of no use here, and with the key of another region. */
  readonly none: Refusal;
  readonly unknown: Refusal;
  readonly foreign?: Refusal;
  readonly version?: string;
  readonly wrongVersion?: string;
  readonly malformed: string;
  readonly missing: string;
  readonly wrongMethod: string;
  readonly throttled: string;
}
type Refusal = readonly [status: number, code: string];

const USUAL = {
  wrongMethod: "method_not_allowed",
  throttled: "too_many_requests",
};
const MANAGEMENT: Rules = {
  ...USUAL,
  key: "local-management-us",
  none: [401, "unauthorized"],
  unknown: [401, "unauthorized"],
  foreign: [404, "not_found"],
  version: "2025-11-20",
  wrongVersion: "unsupported_version",
  malformed: "malformed_request",
  missing: "not_found",
};
const EVENTS: Rules = {
  ...USUAL,
  key: "local-secret-us",
  none: [403, "secret_api_key_required"],
  unknown: [403, "secret_api_key_not_found"],
  foreign: [403, "wrong_region"],
  malformed: "request_cannot_be_parsed",
  missing: "event_not_found",
};
const LEGACY: Rules = {
  key: "local-secret-us",
  none: [403, "TokenRequired"],
  unknown: [403, "TokenNotFound"],
  foreign: [403, "WrongRegion"],
  malformed: "RequestCannotBeParsed",
  missing: "RequestNotFound",
  wrongMethod: "RequestCannotBeParsed",
  throttled: "TooManyRequests",
};
const DRN: Rules = {
  ...USUAL,
  key: "local-secret-us",
  none: [401, "secret_key_not_found"],
  unknown: [401, "secret_key_not_found"],
  version: "2024-09-01",
  wrongVersion: "unsupported_version",
  malformed: "malformed_request",
  missing: "http.not_found",
};
const AGENT: Rules = {
  ...EVENTS,
  key: "local-public-us",
  unknown: [403, "public_api_key_not_found"],
};
const CONTROL: Rules = { ...MANAGEMENT, key: "" };

interface Operation {
  readonly name: string;
  readonly method: string;
  /** In the document, such as `/{region}/v4/events/{event_id}`. */
  readonly template: string;
  readonly surface: string;
  readonly rules: Rules;
  readonly hasBody: boolean;
  readonly takesKey: boolean;
  /** The names of its parameters in the query, and of the members of its body. */
  readonly names: readonly string[];
}

/** The parts of a documented operation that tests make input from. */
interface Inputs {
  readonly tags?: readonly string[];
  readonly parameters?: readonly { in: string; name: string }[];
  readonly requestBody?: {
    readonly content?: Record<string, { schema: { properties?: object } }>;
  };
}

const RULES: readonly (readonly [RegExp, Rules])[] = [
  [/^\/management\/analytics/, { ...MANAGEMENT, key: "" }],
  [/^\/management/, MANAGEMENT],
  [/^\/drn/, DRN],
  [/^\/_local/, CONTROL],
  [/^\/\{region\}\/v4/, EVENTS],
  [/^\/\{region\}\/web/, AGENT],
  [/./, LEGACY],
];

let operations: readonly Operation[];
beforeAll(async () => {
  const { paths } = await openApi();
  operations = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, documented]) => {
      const described: typeof documented & Inputs = documented;
      const body = described.requestBody?.content?.["application/json"];
      return {
        name: described.operationId,
        method: method.toUpperCase(),
        template,
        surface: described.tags?.[0] ?? "",
        rules: RULES.find(([path]) => path.test(template))?.[1] ?? LEGACY,
        hasBody: described.requestBody !== undefined,
        takesKey:
          "security" in described || described.operationId === "identify",
        names: [
          ...(described.parameters ?? []).flatMap((one) =>
            one.in === "query" ? [one.name] : [],
          ),
          ...Object.keys(body?.schema.properties ?? {}),
        ],
      };
    }),
  );
});

const lines: string[] = [];
const local = localForTests(
  {
    logLevel: "trace",
    logTo: { write: (line) => lines.push(line) },
  },
  VERSION_3_DAY,
);

interface Call {
  /** In place of the key of the surface; undefined sends none. */
  readonly key?: string | undefined;
  /** The value of the header `Authorization`, in place of `Bearer KEY`. */
  readonly authorization?: string;
  readonly id?: string;
  readonly query?: string;
  readonly method?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Record<string, string | undefined>;
  readonly documented?: boolean;
  readonly at?: LocalWorkspace;
}

/** Calls an operation with everything that it needs, except for what the call changes. */
async function send(operation: Operation, call: Call = {}): Promise<Answer> {
  const { rules, template, surface, hasBody } = operation;
  const key = "key" in call ? call.key : rules.key;
  const { id = "none", query = "", method = operation.method } = call;
  const { body = hasBody ? "{}" : undefined, at = local } = call;
  const path =
    template
      .replace("{region}", "us")
      .replace("{public_key}", key ?? "none")
      .replace(/\{\w+\}/, id) + query;
  const headers = {
    ...(surface === "legacy"
      ? { "auth-api-key": key }
      : { authorization: call.authorization ?? (key && `Bearer ${key}`) }),
    "x-api-version": rules.version,
    ...(body !== undefined && {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
    }),
    ...call.headers,
  };
  const answer = await sendRaw(at.url, { method, path, headers }, body);
  if (call.documented ?? answer.status >= 300)
    await assertDocumented(new URL(path, at.url), method, undefined, answer);
  return answer;
}

/** The status and the code of a refusal. `GET /visitors` of version 3 has a text alone. */
function refusal({ status, body }: Answer): Refusal {
  const { error } = body as { error: string | { code: string } };
  return [status, typeof error === "string" ? "a text" : error.code];
}

const coded = ({ name }: Operation, [status, code]: Refusal): Refusal => [
  status,
  name === "listLegacyVisits" ? "a text" : code,
];

/** Expects the same of many operations, and says which of them is otherwise. */
async function expectOfEach(
  of: (operation: Operation) => boolean,
  call: Call | ((operation: Operation) => Call),
  wanted: (operation: Operation) => Refusal,
): Promise<void> {
  const chosen = operations.filter(of);
  expect(chosen.length).toBeGreaterThan(0);
  for (const operation of chosen) {
    const made = typeof call === "function" ? call(operation) : call;
    const answer = await send(operation, made);
    const where = `${operation.name} ${JSON.stringify(made)}`;
    const expected = coded(operation, wanted(operation));
    expect(refusal(answer), where).toEqual(expected);
  }
}

const hasId = ({ template }: Operation) =>
  /\{(?!region|public_key)\w+\}/.test(template);
const isControl = ({ template }: Operation) => template.startsWith("/_local");

describe("the operations", () => {
  // contract: management-1, management-239
  it("are those of the tables that the client calls with, and no other, beside version 3, control calls and the agent", () => {
    // The table of each kind of record has a list.
    const table = Object.values<unknown>(wire).flatMap((one) =>
      typeof one === "object" && one && "list" in one
        ? Object.values<wire.ManagementOperation>(one as never)
        : [],
    );
    const ofTables = [
      ...table.map(({ name, method, path }) => [
        name,
        `${method} /management${path}`,
      ]),
      ...Object.values(SERVER_OPERATIONS).map(({ name, method, path }) => [
        name,
        `${method} ${path}`,
      ]),
    ];
    const others = /^(hello|recordAnalytics|agentScript|identify)$/;
    const served = operations
      .filter(({ surface }) => surface !== "legacy")
      .filter((one) => !isControl(one) && !others.test(one.name))
      .map(({ name, method, template }) => [
        name,
        `${method} ${template.replace(/^\/\{region\}(\/v4)?/, "").replace(/\{(\w+)\}/, ":$1")}`,
      ]);
    expect(new Set(served)).toEqual(new Set(ofTables));
  });

  // contract: legacy-7
  it("take a key, except control calls, the agent and reports", () => {
    const open = operations.filter(({ takesKey }) => !takesKey);
    expect(
      open.filter((one) => !isControl(one)).map(({ name }) => name),
    ).toEqual(["recordAnalytics", "agentScript"]);
  });

  it("are found for an ID of any length", async () => {
    const withId = operations.filter(hasId);
    expect(withId.length).toBeGreaterThan(20);
    for (const one of withId) {
      const answerTo = async (length: number) => {
        const id = "a".repeat(length);
        const { status, text } = await send(one, { id, documented: false });
        const said = text.replaceAll(id, "ID").replace(/\d+\.\w{6}/, "EVENT");
        return [one.name, status, said];
      };
      expect(await answerTo(5_000)).toEqual(await answerTo(90));
    }
  });
});

describe("a call without the right key is refused", () => {
  const takesKey = ({ takesKey }: Operation) => takesKey;

  // contract: management-3, management-7, management-22, events-4, events-13
  // contract: events-23, versions-5, drn-5, drn-25, legacy-2, legacy-9
  // contract: legacy-41
  it("if it has none", async () => {
    await expectOfEach(
      (one) => one.takesKey && one.surface !== "agent",
      { key: undefined, query: "?limit=x" },
      ({ rules }) => rules.none,
    );
    for (const authorization of ["", "Bearer", "Bearer ", "Basic KEY", "KEY"])
      await expectOfEach(
        (one) => one.takesKey && !/legacy|agent/.test(one.surface),
        ({ rules }) => ({
          authorization: authorization.replace("KEY", rules.key),
        }),
        ({ rules }) => rules.none,
      );
  });

  // contract: management-8, management-62, events-6, events-24, agent-1
  it("if the key is unknown, of another kind, disabled or deleted", async () => {
    const made = (type: string) => local.newKey({ type });
    const proxy = await made("proxy");
    const disabled = [await made("secret"), await made("public")];
    for (const { id } of disabled)
      await local.call("PATCH", `/api-keys/${id}`, { status: "disabled" });
    const deleted = await made("secret");
    await local.call("DELETE", `/api-keys/${deleted.id}`);
    const keys = [
      ...["nobody", "local-management-us", "local-secret-us"],
      ...["local-public-us", proxy.token, deleted.token],
      ...disabled.map(({ token }) => token),
    ];
    for (const key of keys)
      await expectOfEach(
        (one) => one.takesKey && one.rules.key !== key,
        { key },
        ({ rules }) => rules.unknown,
      );
  });

  // contract: events-3, events-7, events-25
  it("if the key is of another region", async () => {
    await expectOfEach(
      (one) => one.takesKey && !["management", "drn"].includes(one.surface),
      ({ rules }) => ({ key: rules.key.replace("us", "eu") }),
      ({ rules }) => rules.foreign ?? rules.none,
    );
  });

  // contract: management-9, management-12, drn-6, drn-7
  it("if it has not the version of the surface", async () => {
    for (const version of [undefined, "", "2024-09-02", "latest"])
      await expectOfEach(
        ({ rules, takesKey }) => takesKey && rules.version !== undefined,
        { headers: { "x-api-version": version } },
        ({ rules }) => [400, rules.wrongVersion ?? ""],
      );
  });

  it("and the answer, the log and the request log show no key", async () => {
    lines.length = 0;
    let seen = "";
    for (const operation of operations.filter(takesKey)) {
      const { surface, name } = operation;
      if (surface === "agent") continue;
      for (const call of [
        { key: "canary-key", query: "?api_key=canary-query" },
        { key: undefined, query: "?apiKey=canary-query" },
        { body: '{"token": canary-body', documented: false },
        { query: "?limit=canary-query&cursor=canary-query", documented: false },
      ]) {
        const answer = await send(operation, call);
        seen += `${name} ${answer.text} `;
      }
    }
    seen += lines.join("");
    seen += (await local.controlCall("GET", "/requests")).text;
    expect(seen).toContain("/us/events/search");
    expect(seen).toContain('"surface":"drn"');
    expect(seen).not.toMatch(/canary|local-(secret|management)/);
  });
});

const METHODS = ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"];

describe("a request that is wrong for its operation", () => {
  // contract: versions-5
  it("has a method that its path does not take, which the answer names", async () => {
    for (const { template } of operations) {
      const of = operations.filter((one) => one.template === template);
      const methods = of.map(({ method }) => method);
      const [operation] = of;
      if (!operation) throw new Error("No operation has this path.");
      for (const method of METHODS) {
        const isPreflight = method === "OPTIONS" && template.includes("/web/");
        if (methods.includes(method) || isPreflight) continue;
        const answer = await send(operation, { method, documented: false });
        expect(refusal(answer), `${method} ${template}`).toEqual(
          coded(operation, [405, operation.rules.wrongMethod]),
        );
        expect(answer.headers.get("allow")).toBe(methods.join(", "));
      }
    }
  });

  // contract: events-8, events-12, events-35, events-41
  it("has a query parameter that the events APIs refuse, and other APIs ignore", async () => {
    for (const operation of operations) {
      const { name, surface, takesKey } = operation;
      if (!takesKey) continue;
      const plain = await send(operation);
      const ofTable = SERVER_OPERATIONS[name as keyof typeof SERVER_OPERATIONS];
      const isStrict =
        surface === "legacy" ||
        (ofTable && "query" in ofTable && name !== "getDeviceReputation");
      const other = await send(operation, { query: "?nonsense=1" });
      if (isStrict) {
        expect([name, other.status]).toEqual([name, 400]);
        expect(other.text).toContain("nonsense");
      } else expect([name, other.status]).toEqual([name, plain.status]);
      // Official clients send their name.
      const ii = await send(operation, { query: "?ii=go%2F1&ii=b" });
      expect([name, ii.status]).toEqual([name, plain.status]);
    }
  });

  // contract: management-18, management-19, management-72, events-14, drn-26
  it("names a record that is not there", async () => {
    const settings = { visitorDeletion: true, relatedVisitors: true };
    await local.control("/us/settings", settings);
    await expectOfEach(
      (one) => hasId(one) && one.takesKey,
      ({ surface }) => ({
        query: surface === "drn" ? "?signals=timestamps" : "",
      }),
      ({ rules, template }) => [
        404,
        template.endsWith("v4/visitors/{visitor_id}")
          ? "visitor_not_found"
          : template.includes("/visitors/")
            ? "VisitorNotFound"
            : rules.missing,
      ],
    );
  });

  // contract: management-6
  it("names a record of another workspace", async () => {
    await local.call("POST", "/webhooks", { url: "https://shop.example/hook" });
    const environment = local.service.workspaces.us.environment;
    const rule = { name: "r", expression: "true", action: "deny", environment };
    await local.call("POST", "/filtering-rules", rule);
    const before = await local.contents();
    for (const one of operations) {
      if (one.surface !== "management" || !hasId(one)) continue;
      const [, collection = ""] =
        /^\/management\/([^/]+)/.exec(one.template) ?? [];
      const id = String((await local.list(collection))[0]?.["id"]);
      const answer = await send(one, { id, key: "local-management-eu" });
      expect(refusal(answer), one.name).toEqual([404, "not_found"]);
    }
    expect(await local.contents()).toEqual(before);
  });

  it("has escapes in its URL that are not UTF-8, or U+0000", async () => {
    for (const escape of ["%ff", "%C3", "%zz", "100%", "%00"]) {
      const malformed = ({ rules }: Operation): Refusal => [
        400,
        rules.malformed,
      ];
      const isRead = (one: Operation) => one.name !== "agentScript";
      await expectOfEach(isRead, { query: `?x=${escape}` }, malformed);
      const isOfRecord = (one: Operation) => hasId(one) && one.takesKey;
      await expectOfEach(isOfRecord, { id: escape }, malformed);
    }
  });

  it("names a host that DNS may rebind", async () => {
    const { port } = new URL(local.url);
    for (const one of operations) {
      const headers = { host: `shop.example:${port}` };
      const answer = await send(one, { headers });
      expect([one.name, answer.status]).toEqual([one.name, 403]);
      // Only this refusal has this text.
      expect(answer.text, one.name).toContain("but it names another");
    }
  });

  it("is a control call from a web page of another origin", async () => {
    const headers = { origin: "https://shop.example" };
    await expectOfEach(isControl, { headers }, () => [403, "forbidden"]);
  });
});

describe("a body is refused", () => {
  const bytes = (...middle: number[]) =>
    Buffer.concat(['{"x":"', middle, '"}'].map((part) => Buffer.from(part)));
  const nested = `{"x":${"[".repeat(600)}${"]".repeat(600)}}`;

  // contract: management-17, management-24
  it.each<[string, string | Uint8Array]>([
    ["not valid JSON", "{"],
    ["not valid JSON", '{"name": "a",}'],
    ["not valid JSON", "name=x"],
    ["not UTF-8", bytes(0xff)],
    ["not UTF-8", bytes(0x63, 0x61, 0x66, 0xe9)],
    ["not UTF-8", bytes(0xf0, 0x9f, 0x98)],
    ["not UTF-8", bytes(0xc0, 0xaf)],
    ["not UTF-8", bytes(0xed, 0xa0, 0x80)],
    ["half of a surrogate pair", '{"x":"\\ud800"}'],
    ["half of a surrogate pair", '{"x":["\\uDC00"]}'],
    ["half of a surrogate pair", '{"\\ude00\\ud83d":1}'],
    ["U+0000", '{"x":"ab\\u0000cd"}'],
    ["too large to be stored", '{"x":1e400}'],
    ["too large to be stored", '{"x":[-1E+309]}'],
    ["too large to be stored", `{"x":${"9".repeat(400)}}`],
    ["__proto__", '{"__proto__":1}'],
    ["__proto__", '{"x":[{"\\u005f_proto__":{"y":1}}]}'],
    ["nested deeper than 500 levels", nested],
  ])("by every operation if it is or has: %s (%#)", async (problem, body) => {
    for (const one of operations.filter(({ hasBody }) => hasBody)) {
      const answer = await send(one, { body });
      expect(refusal(answer), one.name).toEqual([400, one.rules.malformed]);
      expect(answer.text, one.name).toContain(problem);
    }
  });

  it.each(["null", "5", '"text"', ""])(
    "by every operation if it is not an object: %j",
    async (body) => {
      for (const one of operations.filter(({ hasBody }) => hasBody)) {
        const { status, text } = await send(one, { body, id: "1.a" });
        expect([one.name, status]).toEqual([one.name, 400]);
        expect(text, one.name).toMatch(/body|[Bb]ad|must|required/);
      }
    },
  );

  // contract: management-17
  it("by every operation if it is too large or compressed, and by control calls if it is not called JSON", async () => {
    for (const one of operations.filter(({ hasBody }) => hasBody)) {
      const large = JSON.stringify({ x: "x".repeat(2_000_000) });
      const statusOf = async (call: Call) => (await send(one, call)).status;
      // This control call takes whole files of events.
      if (one.name !== "addEvents")
        expect(await statusOf({ body: large }), one.name).toBe(413);
      for (const encoding of ["gzip", "br", "identity, gzip"]) {
        const headers = { "content-encoding": encoding };
        const answer = await send(one, { body: gzipSync("{}"), headers });
        expect([one.name, answer.status]).toEqual([one.name, 415]);
        expect(answer.text).toContain("The body is compressed");
      }
      for (const type of [
        "text/plain;charset=UTF-8",
        "text/x-json",
        undefined,
      ]) {
        const status = await statusOf({ headers: { "content-type": type } });
        expect([one.name, status === 415]).toEqual([one.name, isControl(one)]);
      }
    }
  });
});

describe("any input", () => {
  const value = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
    fc.double().map(String),
    fc.ipV6().map((ip) => `${ip}/64`),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.constantFrom("true", "all", "timestamps,", `${2n ** 63n}`, "1e400"),
    fc.constantFrom("-1", "0.1.2.3.4.x", "constructor", "__proto__"),
  );
  const id = fc.oneof(
    fc.constantFrom("1.a", "__proto__", "search", "none"),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
  );
  const raw = fc.string({ unit: fc.constantFrom(..."%&=[]+,;?a1FfEe/") });
  const part = fc.oneof(fc.string(), fc.jsonValue(), fc.boolean());

  // contract: events-38
  it("gets an answer below 500 in plain words from every operation", async () => {
    await local.control("/us/events", [{ event_id: "1.a" }]);
    // These change how later calls are answered.
    const others = /^(addFault|moveClock|reset)$/;
    for (const one of operations.filter(({ name }) => !others.test(name))) {
      const { hasBody, names } = one;
      const name = fc.oneof(fc.constantFrom("a[]", ...names), fc.string());
      const query = fc.oneof(
        raw,
        fc
          .array(fc.tuple(name, value), { maxLength: 6 })
          .map((pairs) => new URLSearchParams(pairs).toString()),
      );
      const body = fc.oneof(fc.dictionary(name, part), fc.jsonValue());
      await fc.assert(
        fc.asyncProperty(id, query, body, async (any, parameters, members) => {
          const answer = await send(one, {
            id: encodeURIComponent(any),
            query: `?${parameters}`,
            ...(hasBody && { body: JSON.stringify(members) }),
          });
          expect(answer.status).toBeLessThan(500);
          // The words of zod.
          expect(answer.text).not.toMatch(
            /: (Invalid input|Invalid option|Too big|Too small)/,
          );
        }),
        { numRuns: 10 },
      );
    }
  }, 120_000);
});

describe("every surface", () => {
  it("is a name that faults act on before the key is checked, and that the request log has", async () => {
    for (const surface of ["management", "events", "legacy", "drn", "agent"]) {
      await local.reset();
      await local.moveClock(VERSION_3_DAY);
      const then = { status: 418 };
      await local.fault({ match: { surface }, then });
      const agent = operations.find(({ name }) => name === "identify");
      // The browser's question before a call from a page is no call.
      if (agent)
        expect((await send(agent, { method: "OPTIONS" })).status).toBe(204);
      for (const one of operations) {
        if (isControl(one)) continue;
        const call = { key: undefined, documented: false };
        const { status } = await send(one, call);
        expect(status === 418, one.name).toBe(one.surface === surface);
      }
      const log = (await local.controlCall("GET", "/requests")).body;
      const names = operations.filter((one) => !isControl(one));
      expect((log as { surface: string }[]).map((row) => row.surface)).toEqual([
        "agent",
        ...names.map((one) => one.surface),
      ]);
    }
  });

  // contract: events-32, drn-27
  it("has a rate limit of its own for each key", async () => {
    const own = await localForTest({ rateLimit: 0.01 });
    await own.moveClock(VERSION_3_DAY);
    const withKey = operations.filter((one) => one.takesKey);
    const first = new Map(withKey.map((one) => [one.surface, one]));
    expect(first.size).toBe(5);
    for (const one of first.values()) {
      const { rules, surface } = one;
      // A public key has its own rate.
      if (surface === "agent") continue;
      const call = { at: own, documented: false };
      expect((await send(one, call)).status, surface).not.toBe(429);
      const answer = await send(one, call);
      expect(refusal(answer)).toEqual(coded(one, [429, rules.throttled]));
      const retryAfter = answer.headers.get("retry-after");
      expect(retryAfter).toBe(surface === "legacy" ? "1" : null);
    }
  });
});

describe("version 3", () => {
  const isLegacy = ({ surface }: Operation) => surface === "legacy";

  // contract: legacy-1
  it("announces its end in every answer, also in refusals, and no other surface does", async () => {
    for (const one of operations)
      for (const call of [{}, { key: undefined }, { method: "TRACE" }]) {
        const { headers } = await send(one, { ...call, documented: false });
        const announced = [headers.get("deprecation"), headers.get("sunset")];
        expect(announced, one.name).toEqual(
          isLegacy(one)
            ? ["@1767744000", "Thu, 07 Jan 2027 00:00:00 GMT"]
            : [null, null],
        );
      }
  });

  // contract: legacy-1, legacy-8
  it("ends at the sunset date and not before, in all its operations", async () => {
    await local.moveClock("2027-01-06T23:59:00Z");
    for (const one of operations.filter(isLegacy))
      expect((await send(one)).status, one.name).not.toBe(410);
    await local.moveClock("2027-01-07T00:00:00Z");
    await expectOfEach(isLegacy, {}, () => [410, "Failed"]);
    await expectOfEach(isLegacy, { key: undefined }, () => [410, "Failed"]);
  });
});
