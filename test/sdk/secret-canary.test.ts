import { inspect } from "node:util";
import {
  configurationOf,
  Redactor,
  type Client,
  type RequestInfo,
} from "@devid/sdk";
import * as wire from "@devid/sdk/wire";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { ManagementApi } from "../../sdk/src/management/management-api";
import { operationsOf } from "../../sdk/src/wire/operations";
import { QUICK_RETRY, rejection, Workspace } from "./workspace";
import { openForTests } from "../helpers/open-for-tests";

const { isSecret, secret, secretFields } = wire;

let seen: RequestInfo[];
let client: Client;
const workspace = openForTests(new Workspace());
beforeEach(async () => {
  await workspace.reset();
  seen = [];
  client = workspace.client({ onRequest: (info) => seen.push(info) });
});

/**
 * Everything that an application may print of an error, with hidden members and causes,
 * and everything that the hook got.
 */
const printed = (error: Error) =>
  [
    inspect(error, {
      depth: Infinity,
      showHidden: true,
      maxStringLength: Infinity,
      maxArrayLength: Infinity,
    }),
    error.message,
    error.stack,
    JSON.stringify(error),
    JSON.stringify(seen),
  ].join("\n");

const answer = (status: number, body: unknown, times?: number) =>
  workspace.fault({
    match: {},
    ...(times !== undefined && { times }),
    then: { status, body },
  });

/** An error answer that contains a text in every member. */
const errorWith = (text: string) => ({
  error: {
    code: text,
    message: `${text} is bad: "${text}"`,
    violations: [{ property: text, message: `${text} is bad` }],
  },
});

const KINDS = [
  ["apiKeys", wire.ApiKeyRecord],
  ["encryptionKeys", wire.EncryptionKeyRecord],
  ["webhooks", wire.WebhookRecord],
] as const;
const MARKED = KINDS.flatMap(([kind, schema]) =>
  secretFields(schema).map((field) => [kind, field] as const),
);

describe.each(MARKED)("a secret of %s, %s,", (kind, field) => {
  const values: unknown[] = [
    "warbler+/==",
    { user: "warbler-user", deep: [{ password: 'warbler"2' }] },
  ];
  const read = (): Promise<unknown> => client[kind].get("x_1");

  it.each(values)("%j that was received is never shown", async (value) => {
    // A value of the wrong type is refused, but still masked.
    const data = { id: "x_1", name: "n", type: "t", status: "s", url: "u" };
    await answer(200, { data: { ...data, [field]: value } }, 1);
    const outcome = await read().then(
      () => undefined,
      (error: Error) => error,
    );
    if (outcome) expect(printed(outcome)).not.toMatch(/warbler/);

    const text = JSON.stringify(value);
    const spellings = [
      text,
      ...(typeof value === "string" ? [value, encodeURIComponent(value)] : []),
    ];
    for (const spelling of spellings)
      expect(client.redact(spelling)).not.toMatch(/warbler/);
    for (const status of [400, 404, 409, 500]) {
      await workspace.forgetFaults();
      await answer(status, errorWith(text));
      const output = printed(await rejection(read()));
      expect(output).not.toMatch(/warbler/);
      expect(output).toContain("[redacted]");
    }
    expect(seen.length).toBeGreaterThan(4);
  });
});

describe("a kind with secret inputs", () => {
  const Scratch = z.object({
    id: z.string(),
    name: z.string(),
    pin: secret(z.string()).nullish(),
  });
  const ScratchCreate = z.strictObject({
    name: z.string().min(3),
    password: secret(z.string()).optional(),
    logins: z
      .array(z.strictObject({ user: z.string(), key: secret(z.string()) }))
      .optional(),
  });
  const SCRATCH = operationsOf("scratch", Scratch, {
    create: {
      name: "createScratch",
      method: "POST",
      path: "/scratch",
      doing: "Creating scratch",
      summary: "Create a scratch",
      body: ScratchCreate,
      answers: "one",
    },
  });
  const input = {
    name: "scratch",
    password: "warbler-1",
    logins: [{ user: "ann", key: "warbler-2" }],
  };

  function scratch() {
    const redactor = new Redactor();
    const transport = {
      redactor,
      retry: QUICK_RETRY,
      onRequest: (info: RequestInfo) => seen.push(info),
    };
    const configuration = configurationOf({ endpoint: workspace.service.url });
    const api = new ManagementApi(configuration, () => "a-key", transport);
    const label = "warbler-1 at https://u:warbler@h.example";
    const create = (given: object = input) =>
      api.call(SCRATCH.create, { label, input: given });
    return { redactor, create };
  }

  it.each<[string, () => Promise<void>]>([
    ["refused", () => answer(400, errorWith("warbler-1, warbler-2"))],
    ["answered with 500", () => answer(500, errorWith("warbler-2"))],
    [
      "answered without a record",
      () => answer(200, { data: { id: "warbler-1" } }),
    ],
    ["answered with an empty body", () => answer(200, "")],
    ["answered without JSON", () => answer(200, "warbler-1")],
    ["cut off", () => workspace.fault({ match: {}, then: "reset" })],
  ])("shows no secret if a call is %s", async (_, fault) => {
    await fault();
    const { redactor, create } = scratch();
    const output = printed(await rejection(create()));
    expect(output).not.toMatch(/warbler/);
    expect(seen.length).toBeGreaterThan(0);
    expect(redactor.redact("warbler-1 warbler-2 ann")).toBe(
      "[redacted] [redacted] ann",
    );
  });

  it("shows no secret of an input that is not sent", async () => {
    const { redactor, create } = scratch();
    const error = await rejection(create({ ...input, name: "x" }));
    expect(error.name).toBe("InvalidInputError");
    expect(printed(error)).not.toMatch(/warbler/);
    expect(redactor.redact("warbler-2")).toBe("[redacted]");
  });

  it("masks a secret from an answer", async () => {
    await answer(201, { data: { id: "1", name: "n", pin: "warbler-3" } });
    const { redactor, create } = scratch();
    expect(await create()).toMatchObject({ pin: "warbler-3" });
    expect(isSecret(Scratch.shape.pin)).toBe(true);
    expect(redactor.redact("pin: warbler-3")).toBe("pin: [redacted]");
  });
});

describe("the URL of a webhook", () => {
  const url =
    "https://ann:warbler-password@hooks.example/in?token=warbler-token&v=1";
  const calls: [string, (c: Client) => Promise<unknown>][] = [
    ["a create", (c) => c.webhooks.create({ url })],
    ["an update", (c) => c.webhooks.update("wh_1", { url })],
    [
      "a create with other mistakes",
      (c) => c.webhooks.create({ url, environment: "" }),
    ],
  ];

  it.each(calls)("is masked in every message of %s", async (_, call) => {
    for (const text of [
      url,
      encodeURIComponent(url),
      "warbler-password",
      "the query token=warbler-token&v=1",
      "warbler-token",
      "ann:warbler-password",
    ])
      for (const status of [400, 404, 409, 500]) {
        await workspace.forgetFaults();
        await answer(status, errorWith(text));
        expect(printed(await rejection(call(client)))).not.toMatch(/warbler/);
      }
    await workspace.forgetFaults();
    await workspace.fault({ match: {}, then: "reset" });
    expect(printed(await rejection(call(client)))).not.toMatch(/warbler/);
  });

  it("keeps scheme, host and path, which show which URL it was", async () => {
    await answer(400, errorWith("bad"));
    const error = await rejection(client.webhooks.create({ url }));
    expect(error.message).toContain(
      "Creating webhook https://[redacted]@hooks.example/in?[redacted] failed: 400",
    );
    expect(seen).toMatchObject([
      {
        operation:
          "Creating webhook https://[redacted]@hooks.example/in?[redacted]",
      },
    ]);
  });

  it("is not shown if it is not a URL", async () => {
    for (const url of [
      "ann:warbler@hooks.example/?warbler",
      "ftp://a:warbler@b",
      "warbler",
    ]) {
      const error = await rejection(client.webhooks.create({ url }));
      expect(error.name).toBe("InvalidInputError");
      expect(printed(error)).not.toMatch(/warbler/);
      expect(error.message).toContain("neither http nor https");
    }
  });

  it("is masked by redact after it was read, also in parts", async () => {
    const { id } = await client.webhooks.create({ url });
    const other = workspace.client();
    expect((await other.webhooks.get(id)).url).toBe(url);
    expect(
      other.redact(`${url} and token=warbler-token&v=1, warbler-password`),
    ).toBe(
      "https://[redacted]@hooks.example/in?[redacted] and [redacted], [redacted]",
    );
  });
});

it("an ID that is a URL is masked in messages", async () => {
  const id = "https://u:warbler@h.example/?warbler";
  await answer(404, errorWith("gone"));
  const errors = [
    await rejection(client.webhooks.get(id)),
    await rejection(client.apiKeys.delete(id)),
    await rejection(client.events.get(id)),
    await rejection(client.deviceReputation.get(id)),
    await rejection(client.legacy.get(id)),
    await rejection(client.filteringRules.bulk({ rules: [], environment: id })),
  ];
  for (const error of errors) expect(printed(error)).not.toMatch(/warbler/);
});
