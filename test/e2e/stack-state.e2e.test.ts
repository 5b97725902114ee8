import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { EngineStack, type Declared } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

let workspace: LocalWorkspace;
let stack: EngineStack;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
});
beforeEach(async () => {
  stack?.close();
  await workspace.control("/reset", undefined);
  stack = await EngineStack.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
  });
});
afterAll(async () => {
  stack?.close();
  await workspace?.close();
});

/** A resource with options for test/e2e/program. */
type WithOptions = Declared & { readonly opts?: object };

const TYPE = "pulumi-nodejs:dynamic/devid:ApiKey";
const urn = (name: string, parents = "") =>
  `urn:pulumi:test::declared::${parents}${TYPE}::${name}`;

const key = (
  args: Record<string, unknown>,
  opts?: object,
  as = "key",
): WithOptions => ({
  kind: "ApiKey",
  as,
  args: { name: "Shop", type: "secret", ...args },
  opts,
});

/** Makes a key as somebody does in a dashboard. */
const byHand = async () => {
  const body = { name: "Shop", type: "secret" };
  return (await workspace.call("POST", "/api-keys", body)) as { id: string };
};

/** IDs of the keys that are alive. */
const alive = async () =>
  (await workspace.list("api-keys"))
    .filter(({ name }) => name === "Shop")
    .map(({ id }) => String(id));

it.each<[string, (id: string) => object]>([
  ["its name", () => ({ name: "Shop" })],
  ["its ID", (id) => ({ id })],
])(
  "a key that was adopted by %s is dead after a replacement, rotations and a removal",
  async (_, adoptOf) => {
    const { id: leaked } = await byHand();
    const adopt = adoptOf(leaked);
    stack.declare([key({ adopt })]);
    await stack.up();
    expect(await alive()).toEqual([leaked]);

    await stack.up("--replace", urn("key"));
    const [replaced, ...others] = await alive();
    expect(others).toEqual([]);
    expect(replaced).not.toBe(leaked);

    const seen = new Set([leaked, replaced]);
    for (const rotation of ["first", "second"]) {
      stack.declare([key({ adopt, rotation })]);
      await stack.up("--refresh");
      const left = await alive();
      expect(left, rotation).toHaveLength(1);
      expect(seen, rotation).not.toContain(left[0]);
      seen.add(left[0]);
      expect(await stack.outputs()).toMatchObject({ key: left[0] });
    }

    stack.declare([]);
    await stack.up("--refresh");
    expect(await alive()).toEqual([]);
  },
);

it("an adoption does not happen again where an alias says what the resource was", async () => {
  const { id: leaked } = await byHand();
  const adopt = { name: "Shop" };
  stack.declare([key({ adopt })]);
  await stack.up();

  // Another name, another parent and another key, all in one update.
  const group = { kind: "Component", as: "group", args: {} };
  const moved = (rotation: string, opts: object, groupOpts = {}) => [
    { ...group, opts: groupOpts },
    key({ adopt, rotation }, { parent: "$group", ...opts }, "moved"),
  ];
  stack.declare(moved("first", { aliases: [{ name: "key", parent: "root" }] }));
  await stack.up();
  const first = await alive();
  expect(first).toHaveLength(1);
  expect(first).not.toContain(leaked);

  // The component that it is in gets another parent; only the component has an alias.
  const outer = { kind: "Component", as: "outer", args: {} };
  stack.declare([
    outer,
    ...moved("second", {}, { parent: "$outer", aliases: [{ parent: "root" }] }),
  ]);
  await stack.up();
  const second = await alive();
  expect(second).toHaveLength(1);
  expect(second).not.toContain(first[0]);
});

it("an update without adopt or a preview makes the same operations as its plan", async () => {
  const flags = ["--save-plan", "plan.json"];
  const experimental = { PULUMI_EXPERIMENTAL: "true" };
  stack.declare([key({})]);
  const saved = await stack.shell(
    `pulumi preview --stack test --non-interactive ${flags.join(" ")}`,
    experimental,
  );
  expect(saved.code, saved.output).toBe(0);
  const updated = await stack.shell(
    "pulumi up --stack test --yes --non-interactive --skip-preview --plan plan.json",
    experimental,
  );
  expect(updated.code, updated.output).toBe(0);
});

it.each<[string, WithOptions, string]>([
  [
    "ApiKey",
    key({}, { import: "tok_1" }),
    `The ApiKey "key" has the option import, which Pulumi cannot do for a dynamic resource; write adopt: { id: "tok_1" } in its arguments to take over what exists.`,
  ],
  [
    "FilteringRuleSet",
    {
      kind: "FilteringRuleSet",
      as: "rules",
      args: { rules: [] },
      opts: { import: "ae_1" },
    },
    `The FilteringRuleSet "rules" has the option import, which Pulumi cannot do for a dynamic resource; set takeOver: true in its arguments to put its rules in place of those that exist.`,
  ],
])(
  "the option import of %s is refused in a sentence",
  async (_, declared, said) => {
    stack.declare([declared]);
    const { code, text } = await stack.operate("preview");
    expect(code).not.toBe(0);
    expect(text).toContain(said);
    expect(text).not.toMatch(/^\s+at /m);
  },
);
