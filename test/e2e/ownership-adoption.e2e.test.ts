import { afterEach, expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { WorkspaceStack } from "../helpers/workspace-stack";
import { type Declared, type DeclaredOptions } from "../helpers/engine-stack";

const local = openForTests(new WorkspaceStack());
const { workspace } = local;

afterEach(() => workspace.forgetFaults());

// Each test continues from the state that the previous test left, because a stack has one history.

/** An API key that the program adopts by its name in the workspace. */
const key = (
  as: string,
  name: string,
  more: Record<string, unknown> = {},
  opts: DeclaredOptions = {},
): Declared => ({
  kind: "ApiKey",
  as,
  args: { name, type: "secret", adopt: { name }, ...more },
  opts,
});

const makeKey = async (name: string) => {
  const body = { name, type: "secret" };
  const made = await workspace.call("POST", "/api-keys", body);
  return (made as { id: string }).id;
};
/** The IDs of the existing keys with a name, read from the service. */
const keysNamed = async (name: string) =>
  (await workspace.list("api-keys"))
    .filter((one) => one.name === name)
    .map(({ id }) => String(id));
const idInState = async (name: string) =>
  (await local.stack.resources()).find(({ urn }) => urn.endsWith(`::${name}`))
    ?.id;

const PROVIDERS = { one: { region: "us" }, two: { region: "us" } };
/** The keys that move to other providers of the same workspace and to another name. */
const moving = (provider?: string, as = "roaming"): Declared[] => [
  { ...key("moving", "Moving"), provider },
  {
    ...key(as, "Roaming"),
    provider: provider && "two",
    opts: { aliases: [{ name: "roaming" }] },
  },
];
/** The key of the shop. The program has changed its name. */
const shop = (as: string) =>
  key(as, "Shop", { adopt: { name: "Shop (made by hand)" } });

// test/provider/lifecycle/adopt.test.ts tests what an adoption finds, refuses and keeps.
// stack-state.e2e.test.ts tests replacements and rotations.

it("a rename keeps the adopted object, even if the program changed its name or the new resource could not be created", async () => {
  const id = await makeKey("Shop (made by hand)");
  const late = await makeKey("Late");
  for (const name of ["Moving", "Roaming"]) await makeKey(name);
  local.stack.declare(
    [shop("shop"), key("late", "Late"), ...moving()],
    PROVIDERS,
  );
  await local.stack.up();
  expect(await keysNamed("Shop")).toEqual([id]);

  await workspace.fault({
    match: { method: "PATCH", path: `/management/api-keys/${late}` },
    then: {
      status: 400,
      body: { error: { code: "validation_error", message: "not today" } },
    },
  });
  const renamed = key("late2", "Late", { description: "Renamed" });
  local.stack.declare([shop("shop2"), renamed, ...moving()], PROVIDERS);
  const said = await local.stack.failingUp("--continue-on-error");
  expect.soft(said).toContain("not today");
  expect.soft(said).toMatch(/not deleted|stays|left/i);
  expect.soft(await idInState("shop2")).toBe(id);
  expect.soft(await keysNamed("Late")).toEqual([late]);
  expect(await keysNamed("Shop")).toEqual([id]);
});

it("an object stays with the resource that took it over when the update was killed before the delete", async () => {
  const [id = ""] = await keysNamed("Shop");
  await workspace.fault({
    match: { method: "POST", path: "/management/webhooks" },
    then: "hang",
  });
  const last: Declared = {
    kind: "Webhook",
    as: "last",
    args: { url: "https://hooks.example/b", description: "$shop3.id" },
  };
  const late = key("late", "Late");
  local.stack.declare([shop("shop3"), late, ...moving(), last], PROVIDERS);
  const mark = await workspace.mark();
  await local.stack.killedUp(async () =>
    (await workspace.requestsSince(mark)).some(
      ({ method, path }) => method === "POST" && path.endsWith("/webhooks"),
    ),
  );
  await workspace.forgetFaults();
  expect(await idInState("shop2")).toBe(id);
  expect(await idInState("shop3")).toBe(id);

  local.stack.declare([shop("shop3"), late, ...moving()], PROVIDERS);
  await local.stack.up();
  expect(await idInState("shop3")).toBe(id);
  expect(await keysNamed("Shop")).toEqual([id]);
});

it("another provider of the same workspace keeps the object, with and without a rename", async () => {
  const before = [
    ...(await keysNamed("Shop")),
    ...(await keysNamed("Moving")),
    ...(await keysNamed("Roaming")),
  ];
  expect(before).toHaveLength(3);
  // Each provider is a separate process, so a rename needs an alias.
  local.stack.declare(
    [shop("shop3"), key("late", "Late"), ...moving("one", "roaming2")],
    PROVIDERS,
  );
  await local.stack.up();
  const names = ["shop3", "moving", "roaming2"];
  expect(await Promise.all(names.map(idInState))).toEqual(before);
  expect([
    ...(await keysNamed("Shop")),
    ...(await keysNamed("Moving")),
    ...(await keysNamed("Roaming")),
  ]).toEqual(before);
});
