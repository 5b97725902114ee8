import { createServer } from "node:net";
import { inspect } from "node:util";
import {
  createClient,
  DevidError,
  optionsFromEnvironment,
  type Client,
  type RequestInfo,
  type Settings,
} from "@devid/sdk";
import * as wire from "@devid/sdk/wire";
import { beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { openForTests } from "../helpers/open-for-tests";
import { QUICK_RETRY, rejection, thrown, Workspace } from "./workspace";
import { listen } from "../helpers/listen";

// Every secret of this file contains this word, also percent-encoded or escaped.
const CANARY = /warbler/i;

const KEYS = {
  managementKey: "warbler-management+key/1==",
  secretKey: "warbler-secret-key",
};

/** The records that a client reads before it fails, by the operation that reads them. */
const RECORDS = {
  apiKeys: {
    ...{ id: "x_1", name: "n", type: "secret", status: "enabled" },
    token: "warbler+token/==",
  },
  encryptionKeys: {
    ...{ id: "x_1", environment: "e", status: "enabled" },
    ...{ token: "warbler-now", next_token: "warbler-next" },
    previous_token: "warbler-previous",
  },
  webhooks: {
    ...{ id: "x_1", status: "enabled" },
    url: "https://ann:warbler-password@hooks.example/in?token=warbler-query&v=1",
    basic_auth: { user: "warbler-user", deep: [{ password: 'warbler"2' }] },
    signing_key: "warbler-signing",
  },
} as const;

const KNOWN = [
  KEYS.managementKey,
  KEYS.secretKey,
  ...["warbler+token/==", "warbler-now", "warbler-next", "warbler-previous"],
  ...["warbler-user", 'warbler"2', "warbler-signing"],
  ...["warbler-password", "ann:warbler-password", "warbler-query"],
  ...["token=warbler-query&v=1", RECORDS.webhooks.url],
];

/** Every known secret, in every spelling that an answer may have. */
const SPELT = KNOWN.flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret),
]).join(" and ");
const TEXT = `${SPELT}; Authorization: Bearer ${KEYS.managementKey}`;

let seen: RequestInfo[];
const workspace = openForTests(new Workspace());
beforeEach(async () => {
  await workspace.reset();
  seen = [];
});

/** A client whose keys are recognisable. The service knows neither key. */
const client = (settings: Settings = {}): Client =>
  workspace.client(
    {
      onRequest: (info) => seen.push(info),
      retry: { ...QUICK_RETRY, maxAttempts: 1 },
    },
    { ...KEYS, ...settings },
  );

const answer = (status: number, body: unknown, times?: number) =>
  workspace.fault({
    match: {},
    ...(times !== undefined && { times }),
    then: { status, body },
  });

let known: Promise<Client> | undefined;

/** A client that has also read the secrets of `RECORDS`. */
const knowing = () => (known ??= readRecords());

async function readRecords(): Promise<Client> {
  const made = client();
  for (const kind of ["apiKeys", "encryptionKeys", "webhooks"] as const) {
    await answer(200, { data: RECORDS[kind] }, 1);
    await made[kind].get("x_1");
  }
  return made;
}

/** Everything that an application may print, copy, log or send of a value, to a given depth. */
function waysOut(value: unknown, depth = 20): string {
  // A value that cannot be copied or printed shows nothing.
  const tried = (show: () => string) => {
    try {
      return show();
    } catch {
      return "";
    }
  };
  const { message, stack, cause } = (value ?? {}) as Partial<Error>;
  return [
    inspect(value, {
      ...{ showHidden: true, depth, getters: true },
      ...{ maxStringLength: Infinity, maxArrayLength: Infinity },
    }),
    ...[message, stack, String(cause), JSON.stringify(value) ?? ""],
    tried(() => inspect(structuredClone(value), { depth })),
    tried(() => String(value)),
  ].join("\n");
}

/** What comes out of a call that fails: the error, what the hook got, and what was logged. */
async function outOf(call: Promise<unknown>): Promise<string> {
  const error = await rejection(call);
  expect(error).toBeInstanceOf(DevidError);
  return [waysOut(error), waysOut(seen)].join("\n");
}

const CALLS: Readonly<Record<string, (c: Client) => Promise<unknown>>> = {
  "a read": (c) => c.apiKeys.get("tok_1"),
  "a create": (c) => c.apiKeys.create({ type: "secret", name: TEXT }),
  "a list": (c) => c.webhooks.list(),
  "a webhook": (c) => c.webhooks.create({ url: RECORDS.webhooks.url }),
  "another address": (c) =>
    c.webhooks.update("x_1", { url: RECORDS.webhooks.url }),
  "a wrong input": (c) =>
    c.webhooks.create({ url: RECORDS.webhooks.url, environment: "" }),
  "an ID that is an address": (c) => c.apiKeys.delete(RECORDS.webhooks.url),
  "an ID with a key": (c) => c.webhooks.get(`${KEYS.secretKey}/x`),
  rules: (c) => c.filteringRules.bulk({ rules: [], environment: TEXT }),
  "an event": (c) => c.events.get(RECORDS.webhooks.url),
  "a search": (c) => c.events.search({ linkedId: "l" }),
  "a change": (c) => c.events.update("e1", {}, { retry: { budgetMs: 20 } }),
  "a wrong option": (c) =>
    c.events.update(RECORDS.webhooks.url, {}, { retry: { budgetMs: -1 } }),
  "a deletion": (c) => c.visitors.delete("v1"),
  "device reputation": (c) => c.deviceReputation.get("v1"),
};

describe.each(Object.entries(CALLS))(
  "no way out of %s shows a known secret",
  (_, call) => {
    it.each([400, 401, 403, 404, 409, 429, 500])(
      "that is answered with status %i",
      async (status) => {
        const made = await knowing();
        const violations = [{ property: TEXT, message: TEXT }];
        await answer(status, {
          error: { code: TEXT, message: TEXT, violations },
        });
        expect(await outOf(call(made))).not.toMatch(CANARY);
      },
    );

    it.each<[string, string]>([
      ["a page", `<html>${TEXT}`],
      ["a text", KEYS.managementKey],
      ["broken JSON", `{"data":"${KEYS.managementKey}`],
      [
        "JSON with escapes",
        JSON.stringify({ error: { message: TEXT } }).replaceAll("/", "\\/"),
      ],
      ["a long text", `${"x".repeat(285)}${TEXT}`],
      ["an error with success", JSON.stringify({ error: { message: TEXT } })],
    ])("that is answered with %s", async (_name, body) => {
      const made = await knowing();
      for (const status of [200, 400]) {
        await workspace.forgetFaults();
        await answer(status, body);
        const [error] = await Promise.allSettled([call(made)]);
        expect(waysOut(error) + waysOut(seen)).not.toMatch(CANARY);
      }
    });

    it("that gets no answer, or is refused", async () => {
      const made = await knowing();
      expect(await outOf(call(made))).not.toMatch(CANARY);
      await workspace.fault({ match: {}, then: "reset" });
      expect(await outOf(call(made))).not.toMatch(CANARY);
    });
  },
);

it("what is redacted says so, and the rest stays", async () => {
  const made = await knowing();
  expect(made.redact(TEXT)).not.toMatch(CANARY);
  expect(
    made.redact(`${RECORDS.webhooks.url} and token=warbler-query&v=1`),
  ).toBe("https://[redacted]@hooks.example/in?[redacted] and [redacted]");
  await answer(400, { error: { message: `${KEYS.secretKey} is bad` } });
  const { url } = RECORDS.webhooks;
  const { message } = await rejection(made.webhooks.create({ url }));
  const shown =
    "Creating webhook https://[redacted]@hooks.example/in?[redacted]";
  expect(message).toContain(`${shown} failed: 400: [redacted] is bad.`);
  expect(seen.at(-1)).toMatchObject({ operation: shown });
});

it("every field with the name of a secret is masked after it was read", () => {
  const fields = Object.entries(wire).flatMap(
    ([name, schema]: [string, unknown]) =>
      schema instanceof z.ZodObject && name.endsWith("Record")
        ? Object.keys(schema.shape)
        : [],
  );
  const secrets = fields.filter((name) =>
    /token|signing_key|secret|password|auth|url/.test(name),
  );
  const read = Object.values(RECORDS).flatMap((record) => Object.keys(record));
  expect(secrets.length).toBeGreaterThan(5);
  expect(read).toEqual(expect.arrayContaining(secrets));
});

describe("no error shows a token that nobody knows yet", () => {
  it.each<[string, unknown]>([
    ["without an ID", { data: { token: "warbler-token" } }],
    ["of another shape", { data: [{ token: "warbler-token" }] }],
    ["of another type", { data: { ...RECORDS.apiKeys, token: ["warbler"] } }],
    ["in broken JSON", '{"data":{"token":warbler-token'],
    ["in JSON that is cut", '{"data":{"token":"warbler-tok'],
    ["behind JSON", '{"data":{}} warbler-token'],
  ])("from an answer that cannot be read: %s", async (_, body) => {
    await answer(201, body);
    const call = client().apiKeys.create({ type: "secret", name: "server" });
    expect(await outOf(call)).not.toMatch(CANARY);
  });

  it("from an answer that is not HTTP", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.once("data", () =>
        socket.end(
          'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\nzz{"data":{"token":"warbler-token"}}',
        ),
      );
    });
    const port = await listen(server);
    try {
      const c = client({ managementUrl: `http://127.0.0.1:${port}` });
      for (const call of [
        c.apiKeys.create({ type: "secret", name: "server" }),
        c.apiKeys.get("tok_1"),
      ]) {
        const output = await outOf(call);
        expect(output).toContain("HTTPParserError");
        expect(output).not.toMatch(CANARY);
      }
    } finally {
      server.close();
    }
  });
});

it("no error shows an address that is none, or a key that is no header", async () => {
  const errors = [
    thrown(() => client({ managementKey: "warbler\nkey" })),
    thrown(() => client({ secretKey: "warbler\nkey" })),
  ];
  for (const url of ["ann:warbler@h.example/?warbler", "ftp://a:warbler@b"])
    errors.push(await rejection(client().webhooks.create({ url })));
  for (const error of errors) {
    expect(error).toBeInstanceOf(DevidError);
    expect(waysOut(error)).not.toMatch(CANARY);
  }
});

it("neither the hook nor its failure shows a secret of a call", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const failing = workspace.client(
    {
      onRequest: (info) => {
        seen.push(info);
        throw new Error(`${KEYS.secretKey} ${workspace.url}?warbler`);
      },
    },
    { secretKey: KEYS.secretKey },
  );
  const { token } = await failing.apiKeys.create({
    type: "secret",
    name: "new",
  });
  await failing.apiKeys.list({ environment: workspace.environment });
  const output = waysOut(seen) + waysOut(warn.mock.calls);
  expect(warn).toHaveBeenCalledTimes(2);
  expect(output).toContain("[redacted]");
  expect(output).not.toMatch(CANARY);
  for (const secret of [String(token), "local-management", "environment="])
    expect(output).not.toContain(secret);
  warn.mockRestore();
});

describe("the keys of a client", () => {
  it("are in no object that can be reached from the client", () => {
    const objects = reached(createClient({ endpoint: workspace.url, ...KEYS }));
    expect(objects.length).toBeGreaterThan(20);
    for (const object of objects)
      expect(waysOut(object, 2)).not.toMatch(CANARY);
  });

  it("are hidden if the options from the environment are printed", () => {
    const read = optionsFromEnvironment([], {
      DEVID_MANAGEMENT_KEY: KEYS.managementKey,
      DEVID_SECRET_KEY: KEYS.secretKey,
    });
    expect(read).toMatchObject(KEYS);
    const printed = [inspect(read), inspect({ read }), JSON.stringify(read)];
    expect(printed.join()).not.toMatch(CANARY);
    expect(JSON.parse(JSON.stringify(read))).toMatchObject({
      managementKey: "[redacted]",
      secretKey: "[redacted]",
    });
  });
});

/**
 * Every object that can be reached by properties, also hidden ones of prototypes.
 * Schemas are left out: all clients share them, so they exist before any key is known.
 */
function reached(from: object): object[] {
  const found = new Set<object>([from]);
  for (const object of found)
    for (const owner of [object, Object.getPrototypeOf(object) as unknown])
      if (typeof owner === "object" && owner !== null)
        for (const name of Reflect.ownKeys(owner)) {
          const own = Reflect.getOwnPropertyDescriptor(owner, name);
          const member: unknown =
            own?.get && name !== "__proto__"
              ? Reflect.get(object, name)
              : own?.value;
          if (
            typeof member === "object" &&
            member !== null &&
            !(member instanceof z.core.$ZodType)
          )
            found.add(member);
        }
  return [...found];
}
