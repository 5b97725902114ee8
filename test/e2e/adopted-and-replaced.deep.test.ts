import { expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { WorkspaceStack } from "../helpers/workspace-stack";
import { type Declared } from "../helpers/engine-stack";

const local = openForTests(new WorkspaceStack());
const { workspace } = local;

/** A resource with options for test/e2e/program. */
type WithOptions = Declared & { readonly opts?: object };

const TYPE = "pulumi-nodejs:dynamic/devid:ApiKey";
const urn = (name: string) => `urn:pulumi:test::declared::${TYPE}::${name}`;

/** The names of the keys that were created by hand and are adopted by name or by ID. */
const KEYS = ["by name", "by ID", "moved"];

const key = (
  as: string,
  name: string,
  args: Record<string, unknown>,
  opts?: object,
): WithOptions => ({
  kind: "ApiKey",
  as,
  args: { name, type: "secret", ...args },
  opts,
});

const byHand = async (collection: string, body: object) =>
  ((await workspace.call("POST", `/${collection}`, body)) as { id: string }).id;

/** The IDs of the existing keys with a name. */
const alive = async (name: string) =>
  (await workspace.list("api-keys"))
    .filter((one) => one.name === name)
    .map(({ id }) => String(id));

it("an adopted object is deleted after a replacement, a rotation and a removal, even when an alias says that its resource was moved", async () => {
  const found: Record<string, string> = {};
  for (const name of KEYS)
    found[name] = await byHand("api-keys", { name, type: "secret" });
  const url = "https://hooks.example/a";
  const hook = await byHand("webhooks", { url });
  const staging = await byHand("environments", { name: "Staging" });
  const others: WithOptions[] = [
    { kind: "Webhook", as: "hook", args: { url, adopt: { url } } },
    {
      kind: "Environment",
      as: "staging",
      args: { name: "Staging", adopt: { name: "Staging" } },
    },
  ];
  const seen = new Set(Object.values(found));
  /** Expects one key for each name, with a new ID. */
  const expectOthers = async () => {
    for (const name of KEYS) {
      const now = await alive(name);
      expect(now, name).toHaveLength(1);
      expect(seen, name).not.toContain(now[0]);
      seen.add(now[0] ?? "");
    }
  };
  const byName = (rotation?: string) =>
    key("key", "by name", { adopt: { name: "by name" }, rotation });
  const byId = (rotation?: string) =>
    key("other", "by ID", { adopt: { id: found["by ID"] }, rotation });
  const moved = (as: string, rotation?: string, opts: object = {}) =>
    key(as, "moved", { adopt: { name: "moved" }, rotation }, opts);

  local.stack.declare([byName(), byId(), moved("moved"), ...others]);
  await local.stack.up();
  for (const name of KEYS) expect(await alive(name)).toEqual([found[name]]);

  // Another name, another parent and another key, all in one update.
  const group = (opts = {}) => ({
    ...{ kind: "Component", as: "group", args: {} },
    opts,
  });
  const inGroup = { parent: "$group" };
  const aliases = [{ name: "moved", parent: "root" }];
  local.stack.declare([
    ...[byName(), byId(), ...others, group()],
    moved("moved2", "first", { ...inGroup, aliases }),
  ]);
  await local.stack.up(
    ...["key", "other"].flatMap((as) => ["--replace", urn(as)]),
  );
  await expectOthers();

  // The component around it gets another parent, and only the component has an alias.
  const outer = { kind: "Component", as: "outer", args: {} };
  local.stack.declare([
    ...[byName("first"), byId("first"), ...others, outer],
    group({ parent: "$outer", aliases: [{ parent: "root" }] }),
    moved("moved2", "second", inGroup),
  ]);
  await local.stack.up("--refresh");
  await expectOthers();
  const [shown] = await alive("by name");
  expect(await local.stack.outputs()).toMatchObject({ key: shown });

  local.stack.declare([]);
  await local.stack.up("--refresh");
  for (const name of KEYS) expect(await alive(name)).toEqual([]);
  const ids = async (collection: string) =>
    (await workspace.list(collection)).map(({ id }) => id);
  expect(await ids("webhooks")).not.toContain(hook);
  expect(await ids("environments")).not.toContain(staging);
});
