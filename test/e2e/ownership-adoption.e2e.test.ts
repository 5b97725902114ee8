import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import {
  EngineStack,
  type Declared,
  type DeclaredOptions,
} from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

let workspace: LocalWorkspace;
let stack: EngineStack;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  stack = await EngineStack.open({
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
  });
});

afterEach(() => workspace.forgetFaults());

afterAll(async () => {
  stack?.close();
  await workspace?.close();
});

// Each test goes on where the one before it stopped: a stack has one history.

/** An API key that the program adopts by the name it has in the workspace. */
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

const make = async (collection: string, body: object) =>
  ((await workspace.call("POST", `/${collection}`, body)) as { id: string }).id;
const makeKey = (name: string) => make("api-keys", { name, type: "secret" });
/** IDs of the live keys of a name, seen at the service. */
const keysNamed = async (name: string) =>
  (await workspace.list("api-keys"))
    .filter((one) => one.name === name)
    .map(({ id }) => String(id));
const idInState = async (name: string) =>
  (await stack.resources()).find(({ urn }) => urn.endsWith(`::${name}`))?.id;

it("says in the preview what an adoption finds and changes, or that nothing fits", async () => {
  const id = await makeKey("Found");
  stack.declare([
    key("found", "Found later", {
      adopt: { name: "Found" },
      description: "Taken over",
    }),
  ]);
  const { said } = await stack.operate("preview");
  expect.soft(said).toContain(id);
  expect.soft(said).toMatch(/adopt/);
  expect
    .soft(said)
    .toMatch(/\bname\b[^]*\bdescription\b|\bdescription\b[^]*\bname\b/);
  expect.soft(await keysNamed("Found")).toEqual([id]);

  stack.declare([key("none", "Nobody has this name")]);
  const none = await stack.operate("preview");
  expect.soft(none.code).not.toBe(0);
  expect.soft(none.said).toContain("Nobody has this name");

  const twins = [await makeKey("Twin"), await makeKey("Twin")];
  stack.declare([key("twin", "Twin")]);
  const several = await stack.operate("preview");
  expect.soft(several.code).not.toBe(0);
  for (const twin of twins) expect.soft(several.said).toContain(twin);
});

it("deletes an adopted object with its resource, also under --refresh", async () => {
  const hook = await make("webhooks", { url: "https://hooks.example/a" });
  const staging = await make("environments", { name: "Staging" });
  const gone = await makeKey("Gone");
  const stays = await makeKey("Stays");
  const all: Declared[] = [
    key("gone", "Gone"),
    key("stays", "Stays"),
    {
      kind: "Webhook",
      as: "hook",
      args: {
        url: "https://hooks.example/a",
        adopt: { url: "https://hooks.example/a" },
      },
    },
    {
      kind: "Environment",
      as: "staging",
      args: { name: "Staging", adopt: { name: "Staging" } },
    },
  ];
  stack.declare(all);
  expect(await stack.up()).toEqual({ create: 5 });
  expect(await idInState("gone")).toBe(gone);

  stack.declare(all.slice(1));
  expect(await stack.up("--refresh")).toMatchObject({ delete: 1 });
  expect.soft(await keysNamed("Gone")).toEqual([]);
  expect(await keysNamed("Stays")).toEqual([stays]);

  await stack.destroy("--refresh");
  expect.soft(await keysNamed("Stays")).toEqual([]);
  const ids = async (collection: string) =>
    (await workspace.list(collection)).map(({ id }) => id);
  expect.soft(await ids("webhooks")).not.toContain(hook);
  expect(await ids("environments")).not.toContain(staging);
});

it("has one live key, another one, after --replace and after each rotation", async () => {
  const leaked = await makeKey("Leaked");
  stack.declare([key("server", "Leaked")]);
  await stack.up();
  const seen = [leaked];
  expect(await keysNamed("Leaked")).toEqual(seen);

  const replace = ["--replace", await stack.urn("server")];
  for (const [rotation, flags] of [
    [undefined, replace],
    ["2026-10", ["--refresh"]],
    ["2026-11", ["--refresh"]],
  ] as const) {
    stack.declare([key("server", "Leaked", { rotation })]);
    expect.soft(await stack.up(...flags)).toMatchObject({ replace: 1 });
    const now = await keysNamed("Leaked");
    expect.soft(now).toHaveLength(1);
    expect.soft(now).toEqual([await idInState("server")]);
    expect.soft(seen).not.toContain(now[0]);
    seen.push(...now);
  }
  await stack.destroy();
  expect(await keysNamed("Leaked")).toEqual([]);
});

it("refuses to adopt what another resource of the program has, and names it", async () => {
  const own: Declared = {
    kind: "ApiKey",
    as: "first",
    args: { name: "Shared", type: "secret" },
  };
  stack.declare([own]);
  await stack.up();
  const [id = ""] = await keysNamed("Shared");

  // The engine takes resources in any order; this one comes after the first.
  const after = { description: "$first.id" };
  stack.declare([own, key("second", "Shared", after)]);
  const preview = await stack.operate("preview");
  expect.soft(preview.code).not.toBe(0);
  expect.soft(preview.said).toContain(id);
  expect.soft(await stack.failingUp()).toContain(id);
  expect(await idInState("second")).toBeUndefined();

  // Nor do two new ones adopt the same.
  const both = await makeKey("Both");
  stack.declare([own, key("third", "Both"), key("fourth", "Both")]);
  expect.soft(await stack.failingUp()).toContain(both);
  const holders = [await idInState("third"), await idInState("fourth")];
  expect(holders.filter((holder) => holder === both).length).toBeLessThan(2);
  stack.declare([]);
  await stack.up();
});

it("keeps the object of a resource that is renamed, though name changed the object's name", async () => {
  const id = await makeKey("Shop (made by hand)");
  const shop = (as: string, opts?: DeclaredOptions) =>
    key(as, "Shop", { adopt: { name: "Shop (made by hand)" } }, opts);
  stack.declare([shop("shop")]);
  await stack.up();
  expect(await keysNamed("Shop")).toEqual([id]);

  stack.declare([shop("shop2")]);
  const before = stack.output.length;
  expect(await stack.up()).toEqual({ create: 1, delete: 1, same: 1 });
  expect.soft(stack.output.slice(before)).toMatch(/not deleted|stays|left/i);
  expect.soft(await idInState("shop2")).toBe(id);
  expect(await keysNamed("Shop")).toEqual([id]);

  stack.declare([shop("shop3", { aliases: [{ name: "shop2" }] })]);
  expect(await stack.up()).toEqual({ same: 2 });
  expect(await keysNamed("Shop")).toEqual([id]);
});

it("refuses to delete what another resource has, when the update was killed before the delete", async () => {
  const [id = ""] = await keysNamed("Shop");
  await workspace.fault({
    match: { method: "POST", path: "/management/webhooks" },
    then: "hang",
  });
  const last: Declared = {
    kind: "Webhook",
    as: "last",
    args: { url: "https://hooks.example/b", description: "$shop5.id" },
  };
  stack.declare([key("shop5", "Shop"), last]);
  const mark = await workspace.mark();
  await stack.killedUp(async () =>
    (await workspace.requestsSince(mark)).some(
      ({ method, path }) => method === "POST" && path.endsWith("/webhooks"),
    ),
  );
  await workspace.forgetFaults();
  expect(await idInState("shop3")).toBe(id);
  expect(await idInState("shop5")).toBe(id);

  stack.declare([key("shop5", "Shop")]);
  const said = await stack.failingUp();
  expect.soft(said).toContain(id);
  expect.soft(said).toContain("pulumi state delete");
  expect(await keysNamed("Shop")).toEqual([id]);

  // What the message asks for.
  const old = await stack.urn("shop3");
  const { code } = await stack.shell(
    `pulumi state delete --yes --stack test '${old}'`,
  );
  expect(code).toBe(0);
  expect(await stack.up()).toMatchObject({ same: 2 });
  expect(await keysNamed("Shop")).toEqual([id]);
});

it("keeps it where the new one could not be made and the update goes on", async () => {
  const id = await makeKey("Late");
  stack.declare([key("late", "Late")]);
  await stack.up();
  await workspace.fault({
    match: { method: "PATCH", path: "/management/api-keys/*" },
    then: {
      status: 400,
      body: { error: { code: "validation_error", message: "not today" } },
    },
  });
  stack.declare([key("late2", "Late", { description: "Renamed" })]);
  const said = await stack.failingUp("--continue-on-error");
  expect.soft(said).toContain("not today");
  expect(await keysNamed("Late")).toEqual([id]);
});

it("keeps it through another provider of the same workspace, with a rename and without", async () => {
  const id = await makeKey("Moving");
  const providers = { one: { region: "us" }, two: { region: "us" } };
  const moving = (as: string, provider?: string) => ({
    ...key(as, "Moving"),
    provider,
  });
  stack.declare([moving("moving")], providers);
  await stack.up();
  stack.declare([moving("moving", "one")], providers);
  await stack.up();
  expect(await idInState("moving")).toBe(id);
  expect(await keysNamed("Moving")).toEqual([id]);

  // Each provider is a process of its own, so a rename needs an alias.
  const alias = { opts: { aliases: [{ name: "moving" }] } };
  stack.declare([{ ...moving("moving2", "two"), ...alias }], providers);
  await stack.up();
  expect(await keysNamed("Moving")).toEqual([id]);
});
