import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  defineResource,
  type ResourceDefinition,
} from "../../../provider/src/definition/define-resource";
import {
  immutable,
  local,
  managedIfSet,
  revealOnce,
  secret,
  setting,
  stable,
} from "../../../provider/src/definition/field";
import { IncompleteError } from "../../../provider/src/definition/errors";
import {
  Secret,
  UNKNOWN,
  type Properties,
} from "../../../provider/src/definition/value";
import { Lifecycle } from "../../../provider/src/lifecycle/lifecycle";
import type { Session } from "../../../provider/src/session/session";
import { sharedForTests } from "../../helpers/local-for-tests";
import { sessionOf, silentSession } from "../session-of";
import { rejection } from "../../sdk/workspace";

const inputs = z.object({
  title: z.string(),
  size: managedIfSet(z.number()).optional(),
  place: immutable(z.string()).optional(),
  note: local(z.string()).optional(),
  eager: setting(z.boolean()).default(false),
});
const outputs = inputs.extend({
  code: stable(revealOnce(secret(z.string()))).optional(),
  seenAt: z.string().optional(),
  madeAt: stable(z.string()).optional(),
});
type Outputs = z.output<typeof outputs>;

let session: Session;
const workspace = sharedForTests();
beforeEach(() => {
  ({ session } = sessionOf(workspace));
});

const here = () => ({
  region: "us",
  workspace: workspace.service.workspaces.us.environment,
});
const owner = () => ({ ...here(), claim: expect.any(String) as string });

/** A made-up resource with version 3 of its state's form. Its service is an object in memory. */
function thing(
  service: Partial<Outputs>,
  more: Partial<ResourceDefinition> = {},
  used = session,
) {
  const seen: object[] = [];
  const updates: { inputs: object; changed: string[] }[] = [];
  const definition = {
    ...defineResource({
      kind: "Thing",
      singular: "thing",
      description: "A thing.",
      schemaVersion: 3,
      inputs,
      outputs,
      example: { name: "one", inputs: { title: "One" }, output: "title" },
      title: ({ title = "" }) => title,
      async *list() {
        yield* await Promise.resolve([]);
      },
      create: () => Promise.resolve({ id: "1", outputs: service }),
      read: ({ last }) => {
        if (last) seen.push(last);
        return Promise.resolve(service as Outputs);
      },
      update: ({ last, inputs, changed }) => {
        seen.push(last);
        updates.push({ inputs, changed: [...changed] });
        return Promise.resolve(service);
      },
      delete: ({ last }) => {
        seen.push(last);
        return Promise.resolve();
      },
    }),
    ...more,
  } as unknown as ResourceDefinition;
  return { lifecycle: new Lifecycle(definition, used), seen, updates };
}
const titleOf = (state: object) => (state as { title: string }).title;

const STRANGE_OWNER = "has owner in a form that devid does not know";

it.each<[Properties, string]>([
  [{ owner: { region: {}, workspace: "ae_1" } }, STRANGE_OWNER],
  [{ owner: { region: "us" } }, STRANGE_OWNER],
  [{ owner: "us" }, STRANGE_OWNER],
  [
    { schemaVersion: 4 },
    "The state of this Thing was written by a newer version of devid (its schema version is 4, and this devid knows version 3); upgrade @devid/pulumi.",
  ],
])("every operation refuses a state with %j", async (more, message) => {
  const { lifecycle, seen } = thing({});
  const news = { title: "x" };
  const state = { ...news, ...more };
  const refused = expect.objectContaining({
    name: "StateError",
    message: expect.stringContaining(message) as string,
  }) as Error;
  expect(() => lifecycle.diff({ id: "1", state, news })).toThrow(refused);
  for (const step of [
    lifecycle.read({ id: "1", state }),
    lifecycle.update({ id: "1", state, inputs: news }),
    lifecycle.delete({ id: "1", state }),
  ])
    await expect(step).rejects.toThrow(refused);
  expect(seen).toEqual([]);
});

describe("a value that the service shows once", () => {
  const state = { title: "x", code: "c0de", schemaVersion: 3 };

  it("stays in state as a secret when later answers lack it", async () => {
    const { lifecycle } = thing({ title: "x" });
    const read = await lifecycle.read({ id: "1", state });
    expect(read?.state.code).toEqual(new Secret("c0de"));
    expect(read?.inputs).toEqual({ title: "x" });
    const updated = await lifecycle.update({
      id: "1",
      state,
      inputs: { title: "y" },
    });
    expect(updated.state.code).toEqual(new Secret("c0de"));
    expect(updated.state.title).toBe("y");
  });

  it("is passed unwrapped to the definition from a state that has it as a secret", async () => {
    const { lifecycle, seen } = thing({ title: "x" });
    const sealed = { ...state, code: new Secret("c0de") };
    const read = await lifecycle.read({ id: "1", state: sealed });
    expect(read?.state.code).toEqual(new Secret("c0de"));
    expect(seen).toEqual([{ ...state, eager: false }]);
  });

  it("is replaced when the service shows another value", async () => {
    const { lifecycle } = thing({ title: "x", code: "other" });
    const read = await lifecycle.read({ id: "1", state });
    expect(read?.state.code).toEqual(new Secret("other"));
  });

  it("is absent after an import, which returns the owner and the inputs", async () => {
    const { lifecycle } = thing({ title: "x", size: 5 });
    const declared = { title: "x", size: 5 };
    expect(await lifecycle.read({ id: "1", owns: true })).toEqual({
      state: { ...declared, schemaVersion: 3, owner: owner() },
      inputs: declared,
      program: { title: "x", size: 5 },
    });
  });
});

it("a field that is managed only if the program sets it is absent from the state when the program leaves it to the service", async () => {
  const { lifecycle } = thing({ title: "x", size: 5 });
  const news = { title: "x" };
  const { state } = await lifecycle.create({ inputs: news });
  expect(state).not.toHaveProperty("size");
  const read = await lifecycle.read({ id: "1", state });
  expect(read?.state).not.toHaveProperty("size");
  const after = read?.state ?? {};
  const eager = { ...news, eager: false };
  expect(lifecycle.diff({ id: "1", state: after, news: eager })).toEqual({
    changes: false,
    properties: [],
    replaces: [],
  });
});

describe("the difference", () => {
  it("compares the values inside secrets", () => {
    const { lifecycle } = thing({});
    const diff = (title: unknown) =>
      lifecycle.diff({
        id: "1",
        state: { title: new Secret("x"), schemaVersion: 3 },
        news: { title, eager: false },
      }).changes;
    expect(diff("x")).toBe(false);
    expect(diff(new Secret("x"))).toBe(false);
    expect(diff(new Secret("y"))).toBe(true);
    expect(diff(UNKNOWN)).toBe(true);
  });

  it("describes the update in the definition's words, and an error in them does not fail it", () => {
    const request = {
      id: "1",
      state: { title: "x", schemaVersion: 3 },
      news: { title: "y", eager: false },
    };
    const describing = thing(
      {},
      { describeUpdate: () => "from x to y", pending: () => "still to be y" },
    );
    expect(describing.lifecycle.diff(request).summary).toBe(
      "from x to y\nThing 1: still to be y.",
    );
    const failing = thing(
      {},
      {
        describeUpdate: () => {
          throw new Error("no");
        },
      },
    );
    expect(failing.lifecycle.diff(request)).toEqual({
      changes: true,
      properties: [{ path: "title", kind: "update", replaces: false }],
      replaces: [],
    });
  });
});

it("a dry run of an update sends nothing, and returns the values that no update changes", async () => {
  const { lifecycle, updates } = thing({}, {}, silentSession());
  const known = { region: "us", workspace: "ae_1", claim: "c" };
  const state = {
    title: "x",
    note: "n",
    code: "c0de",
    seenAt: "yesterday",
    madeAt: "then",
    owner: known,
    schemaVersion: 3,
  };
  const run = (news: Properties) =>
    lifecycle.update({ id: "1", state, inputs: news, dryRun: true });
  expect((await run({ title: "y", eager: false })).state).toEqual({
    title: "y",
    code: new Secret("c0de"),
    seenAt: UNKNOWN,
    madeAt: "then",
    owner: known,
    schemaVersion: 3,
  });
  const settings = { title: "x", note: "n", eager: true };
  expect((await run(settings)).state).toEqual({
    ...settings,
    code: new Secret("c0de"),
    seenAt: "yesterday",
    madeAt: "then",
    owner: known,
    schemaVersion: 3,
  });
  expect(updates).toEqual([]);
});

describe("an update", () => {
  it("gets the names of the changed inputs, as the program names them", async () => {
    const { lifecycle, updates } = thing({ title: "y" });
    const state = { title: "x", size: 5, eager: false, schemaVersion: 3 };
    const news = { title: "y", note: "n", eager: true };
    await lifecycle.update({ id: "1", state, inputs: news });
    expect(updates).toEqual([{ inputs: news, changed: ["title", "note"] }]);
  });

  it("of settings alone runs when the definition has pending work", async () => {
    const { lifecycle, updates } = thing({}, { pending: () => "to be done" });
    const state = { title: "x", eager: false, schemaVersion: 3 };
    const news = { title: "x", eager: true };
    await lifecycle.update({ id: "1", state, inputs: news });
    expect(updates).toEqual([{ inputs: news, changed: [] }]);
  });
});

describe("an input that a program marked as secret", () => {
  const inputs = { title: new Secret("x"), eager: false };

  it("is a secret in every result", async () => {
    const { lifecycle, seen, updates } = thing({ seenAt: "now" });
    const olds = {};
    expect(
      (await lifecycle.check({ news: inputs, olds })).inputs.title,
    ).toEqual(new Secret("x"));
    const made = await lifecycle.create({ inputs });
    expect(made.state).toMatchObject({ title: new Secret("x"), seenAt: "now" });
    const news = { ...inputs, title: new Secret("y") };
    const updated = await lifecycle.update({
      id: "1",
      state: made.state,
      inputs: news,
    });
    expect(updated.state.title).toEqual(new Secret("y"));
    expect(updates).toEqual([
      { inputs: { title: "y", eager: false }, changed: ["title"] },
    ]);
    expect(seen.map(titleOf)).toEqual(["x"]);
  });

  it("is named to the definition's validation as a secret", async () => {
    const { lifecycle } = thing(
      {},
      {
        validate: (_, { secrets }) => [
          { property: "title", reason: [...secrets].join() },
        ],
      },
    );
    const news = { ...inputs, note: new Secret(UNKNOWN) };
    const { failures } = await lifecycle.check({ news, olds: {} });
    expect(failures).toEqual([{ property: "title", reason: "title,note" }]);
  });

  it("is not in an error of the check of a new object", async () => {
    const beforeCreate = () => Promise.reject(new Error("No s3cret is there."));
    const { lifecycle } = thing({}, { beforeCreate });
    const news = { title: new Secret("s3cret") };
    const { message } = await rejection(lifecycle.check({ news }));
    expect(message).toBe("No [redacted] is there.");
  });
});

describe("a check", () => {
  const asking = (used = session) => {
    const asked: object[] = [];
    const { lifecycle } = thing(
      {},
      {
        beforeCreate: ({ inputs }) => {
          asked.push(inputs);
          return Promise.resolve([{ property: "size", reason: "is taken" }]);
        },
      },
      used,
    );
    return { asked, lifecycle };
  };

  it("for a new object calls beforeCreate, which may ask the service", async () => {
    const { asked, lifecycle } = asking();
    const news = { title: "x", note: UNKNOWN };
    expect(await lifecycle.check({ news })).toEqual({
      inputs: { title: "x" },
      failures: [{ property: "size", reason: "is taken" }],
    });
    expect(asked).toEqual([{ title: "x", eager: false }]);
  });

  it.each<[string, Properties, Properties | undefined]>([
    ["of what exists", { title: "x" }, { title: "x" }],
    ["that found a mistake", { title: 5 }, undefined],
  ])("%s does not call beforeCreate", async (_, news, olds) => {
    const { asked, lifecycle } = asking();
    await lifecycle.check({ news, ...(olds && { olds }) });
    expect(asked).toEqual([]);
  });

  it("without a management key does not call beforeCreate, and lists the places for a key once a session", async () => {
    const places = /^The management API key of region us is missing.*\n/;
    for (const used of [silentSession({}), silentSession({})]) {
      const { asked, lifecycle } = asking(used);
      const reasons: string[] = [];
      for (const title of ["x", "y", "z"]) {
        const { failures } = await lifecycle.check({ news: { title } });
        expect(failures.map(({ property }) => property)).toEqual([""]);
        reasons.push(...failures.map(({ reason }) => reason));
      }
      expect(asked).toEqual([]);
      expect(reasons[0]).toMatch(places);
      const again = expect.toSay("config/no-management-key-again");
      expect(reasons.slice(1)).toEqual([again, again]);
    }
  });
});

it("a creation that was only partly done returns a whole state, with the values of the service and the owner", async () => {
  const { lifecycle } = thing(
    {},
    {
      create: () =>
        Promise.reject(
          new IncompleteError(
            "1",
            { title: "made", size: 5, seenAt: undefined, code: "c0de" },
            new Error("The key local-management-us was refused."),
          ),
        ),
    },
  );
  const error = await rejection(lifecycle.create({ inputs: { title: "x" } }));
  expect(error).toMatchObject({
    name: "IncompleteError",
    id: "1",
    message: "The key [redacted] was refused.",
  });
  expect((error as IncompleteError).outputs).toStrictEqual({
    title: "made",
    code: new Secret("c0de"),
    owner: owner(),
    schemaVersion: 3,
  });
});

it("an error shows no key, neither in its message nor in its stack", async () => {
  const session = silentSession();
  const here = { region: "us", workspace: "ae_1" };
  await session.once("workspace", () => Promise.resolve(here));
  const { lifecycle } = thing(
    {},
    {
      read: () => Promise.reject(new Error("The key a-management-key is bad.")),
    },
    session,
  );
  const { message, stack } = await rejection(
    lifecycle.read({ id: "1", state: { title: "x", schemaVersion: 3 } }),
  );
  expect(message).toBe("The key [redacted] is bad.");
  expect(stack).toContain("The key [redacted] is bad.");
  expect(stack).not.toContain("a-management-key");
});
