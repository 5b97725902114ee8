import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { expect, it } from "vitest";
import { z } from "zod";
import { ResourceCalls } from "../../../../provider/src/adapters/plugin/resource-calls";
import { defineResource } from "../../../../provider/src/definition/define-resource";
import {
  immutable,
  revealOnce,
  secret,
} from "../../../../provider/src/definition/field";
import { struct } from "../../../helpers/protocol-provider";
import { differenceOf, plain } from "../../../helpers/protocol-provider";
import { secret as marked, UNKNOWN_TEXT } from "../../../helpers/plugin-host";
import { Webhook } from "../../../../provider/src/resources/webhook/webhook";
import { sharedForTests } from "../../../helpers/local-for-tests";
import { commandOn } from "../../lifecycle-of";
import { silentSession } from "../../session-of";

const inputs = z.object({
  title: z.string(),
  place: immutable(z.string()).optional(),
  pin: secret(z.string().min(4)).optional(),
  parts: z.record(z.string(), z.object({ size: z.number() })).optional(),
});
const outputs = inputs.extend({
  code: revealOnce(secret(z.string())).optional(),
});

/** A made-up kind that only the registry knows. */
const Thing = defineResource({
  kind: "Thing",
  singular: "thing",
  description: "A thing.",
  schemaVersion: 1,
  example: { name: "one", inputs: { title: "One" }, output: "title" },
  inputs,
  outputs,
  title: ({ title = "" }) => title,
  async *list() {
    yield* await Promise.resolve([]);
  },
  create: () => Promise.reject(new Error("Nothing is created here.")),
  read: () => Promise.resolve(undefined),
  update: ({ last }) => Promise.resolve(last),
  delete: () => Promise.resolve(),
});

const calls = new ResourceCalls({ Thing: () => Promise.resolve(Thing) }, () =>
  silentSession(),
);

const diff = async (state: object, news: object) =>
  differenceOf(
    await calls.diff(
      new proto.DiffRequest()
        .setUrn("urn:pulumi:s::p::parent$devid:index:Thing::one")
        .setId("1")
        .setOlds(struct({ ...state }))
        .setNews(struct({ ...news })),
    ),
  );

it("a kind that only the registry knows has every call, found by the type in the URN", async () => {
  expect(await diff({ title: "a", schemaVersion: 1 }, { title: "b" })).toEqual({
    changes: true,
    replaces: [],
    properties: { title: "update" },
  });
});

it("each change has its path and its kind, and says whether it replaces", async () => {
  const state = {
    title: "a",
    place: "here",
    parts: { left: { size: 1 }, right: { size: 2 } },
    schemaVersion: 1,
  };
  const news = {
    title: "a",
    place: "there",
    pin: marked("4711"),
    parts: { left: { size: 3 }, top: { size: 4 } },
  };
  expect(await diff(state, news)).toEqual({
    changes: true,
    replaces: ["place"],
    properties: {
      place: "update_replace",
      pin: "add",
      "parts.left.size": "update",
      "parts.right": "delete",
      "parts.top": "add",
    },
  });
  expect(await diff(state, { ...news, place: UNKNOWN_TEXT })).toMatchObject({
    replaces: ["place"],
  });
});

it("a failure of an input that the schema marks as secret does not name the input to the engine", async () => {
  const checked = await calls.check(
    new proto.CheckRequest()
      .setType("devid:index:Thing")
      .setNews(struct({ title: "a", pin: "abc" })),
  );
  const [failure] = checked.getFailuresList();
  expect(failure?.getProperty()).toBe("");
  expect(failure?.getReason()).toMatch(/^pin: /);
  expect(failure?.getReason()).not.toContain("abc");
});

it("a preview returns the inputs, and marks future secrets", async () => {
  const planned = await calls.create(
    new proto.CreateRequest()
      .setType("devid:index:Thing")
      .setProperties(struct({ title: UNKNOWN_TEXT, pin: "4711" }))
      .setPreview(true),
  );
  expect(planned.getId()).toBe("");
  expect(plain(planned.getProperties())).toEqual({
    title: UNKNOWN_TEXT,
    pin: marked("4711"),
    code: UNKNOWN_TEXT,
    schemaVersion: 1,
  });
});

const workspace = sharedForTests();

// As the engine sends them, apart from the ID.
it.each<[string, { inputs?: object; state: object; owns: boolean }]>([
  ["an import", { state: {}, owns: true }],
  ["get", { inputs: {}, state: {}, owns: false }],
  ["get with arguments", { inputs: { a: 1 }, state: { a: 1 }, owns: false }],
  [
    "a refresh after somebody removed the state",
    { inputs: { status: "enabled" }, state: {}, owns: true },
  ],
])(
  "%s: the state says whether the resource owns the object",
  async (_, { inputs, state, owns }) => {
    const { id } = await workspace.make("/webhooks", {
      url: "https://shop.example/hook",
    });
    const { session } = commandOn(workspace);
    const kinds = { Webhook: () => Promise.resolve(Webhook) };
    const request = new proto.ReadRequest()
      .setUrn("urn:pulumi:s::p::devid:index:Webhook::hook")
      .setId(id)
      .setProperties(struct({ ...state }));
    if (inputs) request.setInputs(struct({ ...inputs }));
    const read = await new ResourceCalls(kinds, () => session).read(request);
    const { owner } = read.getProperties()?.toJavaScript() ?? {};
    const claim: unknown = owns ? expect.not.stringMatching(/^read$/) : "read";
    expect(owner).toMatchObject({ claim });
  },
);
