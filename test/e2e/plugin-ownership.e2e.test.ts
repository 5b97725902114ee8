import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { findEngine, findLanguageHost } from "@devid/engine";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stringify } from "yaml";
import { EngineStack, TESTS } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

// The statements of docs/ownership.md on renamed and moved resources, tested with the provider plugin. Each
// test continues from the state that the previous test left.

const PLUGIN = join(TESTS, "../provider/bin");

interface Resource {
  readonly type: string;
  readonly properties: object;
  readonly options?: object;
}
type Resources = Readonly<Record<string, Resource>>;

const HOOK = {
  type: "devid:Webhook",
  properties: { url: "https://shop.example/hook" },
};
const KEY = {
  type: "devid:ApiKey",
  properties: { name: "Shop", type: "secret" },
};
const SEALING = {
  type: "devid:EncryptionKey",
  properties: { status: "enabled" },
};
const RULES = {
  type: "devid:FilteringRuleSet",
  properties: {
    rules: [
      { name: "ios", expression: "sdk.platform.is_ios", action: "deny" },
      { name: "old", expression: 'sdk.version == "1.2.3"', action: "deny" },
    ],
  },
};
/** A resource with an alias for its former name in the program. */
const once = (name: string, resource: Resource): Resource => ({
  ...resource,
  options: { aliases: [{ name }] },
});

let workspace: LocalWorkspace;
let stack: EngineStack;
let made: unknown;

function program(resources: Resources): string {
  const plugins = { providers: [{ name: "devid", path: PLUGIN }] };
  return stringify({ name: "shop", runtime: "yaml", plugins, resources });
}

function declare(resources: Resources): void {
  writeFileSync(join(stack.workFolder, "Pulumi.yaml"), program(resources));
}

/** Runs a command that must succeed, as in a terminal. */
async function run(command: string): Promise<string> {
  const { code, output } = await stack.shell(command);
  if (code !== 0) throw new Error(`${command} failed:\n${output}`);
  return output;
}

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  const host = await findLanguageHost("yaml", await findEngine());
  const folder = mkdtempSync(join(tmpdir(), "devid-ownership-"));
  const first = { hook: HOOK, key: KEY, sealing: SEALING, rules: RULES };
  writeFileSync(join(folder, "Pulumi.yaml"), program(first));
  stack = await EngineStack.open(
    {
      DEVID_ENDPOINT: workspace.url,
      DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
      PATH: [dirname(host), process.env.PATH].join(delimiter),
    },
    folder,
  );
  rmSync(folder, { recursive: true });
  expect(await stack.up()).toEqual({ create: 5 });
  made = await workspace.contents();
});

afterAll(async () => {
  stack?.close();
  await workspace?.close();
});

it("refuses in the preview to rename a rule set without an alias, and names the ways out", async () => {
  declare({ hook: HOOK, key: KEY, sealing: SEALING, gate: RULES });
  const said = await stack.failing("preview");
  expect(said).toContain("takeOver: true");
  expect(said).toMatch(/alias/);
  expect(await workspace.contents()).toEqual(made);
});

it("sends nothing when every resource is renamed with an alias", async () => {
  declare({
    orders: once("hook", HOOK),
    server: once("key", KEY),
    seal: once("sealing", SEALING),
    gate: once("rules", RULES),
  });
  expect(await stack.up()).toEqual({ same: 5 });
  expect(await workspace.contents()).toEqual(made);
});

it("sends nothing when pulumi state move gives resources to another stack, which then owns them", async () => {
  const urns = await Promise.all(["gate", "orders"].map((n) => stack.urn(n)));
  await run("pulumi stack init other --no-select");
  const moved = urns.map((urn) => `'${urn}'`).join(" ");
  await run(`pulumi state move --source test --dest other --yes ${moved}`);
  declare({ server: KEY, seal: SEALING });
  const { changes } = await stack.preview("--expect-no-changes");
  expect(changes).toEqual({ same: 3 });
  declare({ gate: RULES, orders: HOOK });
  const other = "--stack other --non-interactive";
  await run(`pulumi preview --expect-no-changes ${other}`);

  await stack.destroy();
  expect(await workspace.list("webhooks")).toHaveLength(1);
  expect(await workspace.list("filtering-rules")).toHaveLength(2);
  const keys = await workspace.list("api-keys");
  expect(keys.map(({ name }) => name)).not.toContain("Shop");
  await run(`pulumi destroy --yes --skip-preview ${other}`);
  expect(await workspace.list("webhooks")).toEqual([]);
  expect(await workspace.list("filtering-rules")).toEqual([]);
});
