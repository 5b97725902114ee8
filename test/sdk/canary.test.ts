import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { inspect } from "node:util";
import type { Client, RequestInfo, Settings } from "@devid/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { rejection, Workspace } from "./workspace";
import { openForTests } from "../helpers/open-for-tests";

const MANAGEMENT_KEY = "warbler-management+key/1==";
const SECRET_KEY = "warbler-secret-key";

let seen: RequestInfo[];
const workspace = openForTests(new Workspace());
beforeEach(async () => {
  await workspace.reset();
  seen = [];
});

/** A client whose keys are recognisable. The service knows neither key. */
const client = (settings: Settings = {}): Client =>
  workspace.client(
    { onRequest: (info) => seen.push(info) },
    { managementKey: MANAGEMENT_KEY, secretKey: SECRET_KEY, ...settings },
  );

/** Everything that an application may print of an error, with causes and hidden members. */
function printed(error: Error): string {
  const all = inspect(error, {
    depth: Infinity,
    showHidden: true,
    maxStringLength: Infinity,
    maxArrayLength: Infinity,
  });
  return [
    all,
    error.message,
    error.stack,
    String(error.cause),
    JSON.stringify(error),
    JSON.stringify(seen),
  ].join("\n");
}

const echo = (text: string) => ({ error: { code: "echo", message: text } });
const answer = (status: number, body: unknown) =>
  workspace.fault({ match: {}, then: { status, body } });

describe("no error shows the configured keys", () => {
  const calls: [string, (c: Client) => Promise<unknown>][] = [
    ["a read", (c) => c.apiKeys.get("tok_1")],
    ["a create", (c) => c.apiKeys.create({ type: "secret", name: "abc" })],
    ["an event", (c) => c.events.get("e1")],
    ["a search", (c) => c.events.search({ linkedId: "l" })],
    ["version 3", (c) => c.legacy.get("r1")],
  ];
  const text = `You sent ${MANAGEMENT_KEY}, ${SECRET_KEY}; Authorization: Bearer ${MANAGEMENT_KEY}`;

  describe.each(calls)("from %s", (_, call) => {
    it.each([400, 401, 403, 404, 409, 418, 429, 500, 503])(
      "that is answered with status %i and the sent keys",
      async (status) => {
        await answer(status, {
          error: {
            code: MANAGEMENT_KEY,
            message: text,
            violations: [{ property: SECRET_KEY, message: text }],
          },
        });
        const output = printed(await rejection(call(client())));
        expect(output).not.toMatch(/warbler/);
        expect(output).toContain("[redacted]");
      },
    );

    it.each<[string, string]>([
      ["a page that contains them", `<html>${text}`],
      ["nothing but a key", MANAGEMENT_KEY],
      ["a key in broken JSON", `{"data":"${MANAGEMENT_KEY}`],
      [
        "keys behind escapes",
        JSON.stringify(echo(text)).replaceAll("/", "\\/"),
      ],
      ["keys at the end of the shown part", `${"x".repeat(285)}${text}`],
    ])("that is answered with %s", async (_name, body) => {
      for (const status of [200, 400, 500]) {
        await workspace.forgetFaults();
        await answer(status, body);
        const output = printed(await rejection(call(client())));
        expect(output).not.toMatch(/warbler/);
      }
    });

    it("without any answer", async () => {
      await workspace.fault({ match: {}, then: "reset" });
      expect(printed(await rejection(call(client())))).not.toMatch(/warbler/);
    });

    it("with a key that the service does not know", async () => {
      expect(printed(await rejection(call(client())))).not.toMatch(/warbler/);
    });
  });

  it.each([400, 401, 404])(
    "from device reputation that is answered with status %i and the sent keys",
    async (status) => {
      await answer(status, { error: { code: SECRET_KEY, message: text } });
      const output = printed(
        await rejection(client().deviceReputation.get("v1")),
      );
      expect(output).not.toMatch(/warbler/);
      expect(output).toContain("[redacted]");
    },
  );

  it("from an update of an event that stays too new", async () => {
    await answer(409, { error: { code: SECRET_KEY, message: text } });
    const call = client().events.update("e1", {}, { deadlineMs: 20 });
    const error = await rejection(call);
    expect(error.name).toBe("EventNotMutableError");
    expect(printed(error)).not.toMatch(/warbler/);
  });

  it("from invalid input or a key that is no valid header", async () => {
    const errors = [
      await rejection(client().webhooks.list({ limit: 500 })),
      thrown(() => client({ managementKey: "warbler\nkey" })),
      thrown(() => client({ secretKey: "warbler\nkey" })),
    ];
    for (const error of errors) {
      expect(error).toBeInstanceOf(Error);
      expect(printed(error)).not.toMatch(/warbler/);
    }
  });
});

/** The error that a call throws at once. */
function thrown(call: () => unknown): Error {
  try {
    call();
  } catch (error) {
    return error as Error;
  }
  throw new Error("The call was accepted.");
}

describe("no error shows a token that the service created", () => {
  const known = () => client({ managementKey: "local-management-us" });

  it("after the token was returned once", async () => {
    const c = known();
    const key = await c.apiKeys.create({ type: "secret", name: "server" });
    const hook = await c.webhooks.create({ url: "https://a.example" });
    const sealed = (await c.encryptionKeys.list()).data[0];
    const secrets = [
      key.token,
      hook.signingKey,
      sealed?.token,
      sealed?.nextToken,
    ].map(String);
    expect(new Set(secrets).size).toBe(4);
    await answer(404, echo(secrets.join(" ")));
    const output = printed(await rejection(c.apiKeys.get(key.id)));
    for (const secret of secrets) expect(output).not.toContain(secret);
    expect(c.redact(`token ${secrets[0]}`)).toBe("token [redacted]");
  });

  it.each<[string, unknown]>([
    ["without an ID", { data: { token: "warbler-token" } }],
    ["of another shape", { data: [{ token: "warbler-token" }] }],
    ["in broken JSON", '{"data":{"token":warbler-token'],
    ["in JSON that is cut", '{"data":{"token":"warbler-tok'],
    ["behind JSON", '{"data":{}} warbler-token'],
  ])("from an answer that cannot be read: %s", async (_, body) => {
    await answer(201, body);
    const error = await rejection(
      known().apiKeys.create({ type: "secret", name: "server" }),
    );
    expect(error.name).toBe("UnexpectedAnswerError");
    expect(printed(error)).not.toMatch(/warbler/);
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
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const c = client({ managementUrl: `http://127.0.0.1:${port}` });
      for (const call of [
        () => c.apiKeys.create({ type: "secret", name: "server" }),
        () => c.apiKeys.get("tok_1"),
      ]) {
        const error = await rejection(call());
        expect(error.message).toContain("HTTPParserError");
        expect(printed(error)).not.toMatch(/warbler/);
      }
    } finally {
      server.close();
    }
  });
});

it("the hook gets no secret of a successful call", async () => {
  const c = client({ managementKey: "local-management-us" });
  const key = await c.apiKeys.create({ type: "secret", name: "server" });
  await c.apiKeys.list({
    cursor: undefined,
    environment: workspace.environment,
  });
  expect(seen).toHaveLength(2);
  const output = JSON.stringify(seen);
  expect(output).not.toContain(String(key.token));
  expect(output).not.toContain("local-management");
  expect(output).not.toContain("?");
});
