import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { findEngine, findLanguageHost } from "@devid/engine";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { EngineStack, TESTS } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

// A YAML program with the provider plugin, on a real engine. Each test goes on
// where the one before it stopped.

const PLUGIN = join(TESTS, "../provider/bin");

type Json = Record<string, unknown>;
type Resources = Record<string, { type: string; properties: Json }>;

const rule = (name: string) => ({
  name,
  expression: 'sdk.version == "1.2.3"',
  action: "deny",
});

const RESOURCES: Resources = {
  staging: { type: "devid:Environment", properties: { name: "Staging" } },
  key: {
    type: "devid:ApiKey",
    properties: { name: "Shop", type: "secret", environment: "${staging.id}" },
  },
  hook: {
    type: "devid:Webhook",
    properties: {
      url: "https://shop.example/hook",
      description: "Orders",
      environment: "${staging.id}",
    },
  },
  rules: {
    type: "devid:FilteringRuleSet",
    properties: {
      environment: "${staging.id}",
      rules: [rule("first"), rule("last")],
    },
  },
  sealing: {
    type: "devid:EncryptionKey",
    properties: { environment: "${staging.id}", status: "enabled" },
  },
};

let workspace: LocalWorkspace;
let stack: EngineStack;
let resources = RESOURCES;

/** The program's file with these resources. */
function program(declared: Resources): string {
  return stringify({
    name: "shop",
    runtime: "yaml",
    plugins: { providers: [{ name: "devid", path: PLUGIN }] },
    variables: {
      found: {
        "fn::invoke": {
          function: "devid:getEnvironment",
          arguments: { name: "Default" },
          return: "name",
        },
      },
    },
    resources: declared,
    outputs: {
      token: "${key.token}",
      hook: "${hook.id}",
      found: "${found}",
    },
  });
}

function declare(declared: Resources): void {
  resources = declared;
  writeFileSync(join(stack.workFolder, "Pulumi.yaml"), program(declared));
}

const withProperties = (name: string, properties: Json): Resources => {
  const { type, properties: own } = resources[name] ?? {
    type: "",
    properties: {},
  };
  return {
    ...resources,
    [name]: { type, properties: { ...own, ...properties } },
  };
};

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  const host = await findLanguageHost("yaml", await findEngine());
  const folder = mkdtempSync(join(tmpdir(), "devid-yaml-"));
  writeFileSync(join(folder, "Pulumi.yaml"), program(RESOURCES));
  stack = await EngineStack.open(
    {
      DEVID_ENDPOINT: workspace.url,
      PATH: [dirname(host), process.env.PATH].join(delimiter),
    },
    folder,
  );
  rmSync(folder, { recursive: true });
  const { managementKey } = workspace.service.workspaces.us;
  await stack.configure("devid:managementKey", managementKey, { secret: true });
});

afterAll(async () => {
  stack.close();
  await workspace.close();
});

it("is previewed with what is known, and created", async () => {
  const { text } = await stack.preview();
  expect(text).toContain('url                 : "https://shop.example/hook"');
  expect(text).toContain("environment         : [unknown]");
  expect(await stack.up()).toEqual({ create: 6 });
  expect(await workspace.list("webhooks")).toMatchObject([
    { url: "https://shop.example/hook", description: "Orders" },
  ]);
  const outputs = await stack.outputs();
  expect(outputs).toMatchObject({
    token: "[secret]",
    found: "Default",
  });
});

it("keeps its secrets encrypted in the state", async () => {
  const { token } = await stack.outputs({ showSecrets: true });
  const { managementKey } = workspace.service.workspaces.us;
  const state = await stack.exported();
  expect(String(token).length).toBeGreaterThan(8);
  for (const text of [String(token), managementKey, stack.output])
    expect(state).not.toContain(text);
  expect(stack.output).not.toContain(String(token));
});

it("shows an inserted rule as one addition, and one changed property", async () => {
  declare(
    withProperties("rules", {
      rules: [rule("first"), rule("between"), rule("last")],
    }),
  );
  const { text, changes } = await stack.preview();
  expect(changes).toEqual({ same: 5, update: 1 });
  const lines = text.split("\n").filter((line) => /^ +[+~-] .*:/.test(line));
  expect(lines.map((line) => line.trim())).toEqual([
    "~ devid:index:FilteringRuleSet: (update)",
    "~ rules: {",
    "+ between: {",
    '+ action    : "deny"',
    '+ after     : "first"',
    '+ denyWith  : "Forbidden"',
    '+ expression: "sdk.version == \\"1.2.3\\""',
    '+ status    : "enabled"',
  ]);
  expect(await stack.up()).toEqual({ same: 5, update: 1 });
});

it("shows drift property by property, and undoes it", async () => {
  const { hook } = await stack.outputs();
  await workspace.call("PATCH", `/webhooks/${String(hook)}`, {
    description: "Theirs",
  });
  const refreshed = await stack.operate("refresh", "--yes", "--diff");
  expect(refreshed.text).toContain('~ description: "Orders" => "Theirs"');
  const { text } = await stack.preview();
  expect(text).toContain('~ description: "Theirs" => "Orders"');
  expect(await stack.up()).toEqual({ same: 5, update: 1 });
});

it("knows what a create made that was under way when the user cancelled", async () => {
  const before = resources;
  const late = (url: string, more: Json = {}) => ({
    type: "devid:Webhook",
    properties: { url },
    ...more,
  });
  const after = { options: { dependsOn: ["${late}"] } };
  declare({
    ...resources,
    late: late("https://late.example/1"),
    never: late("https://late.example/2", after),
  });
  await workspace.fault({ match: { method: "POST" }, then: { delayMs: 2000 } });
  const said = await stack.interruptedUp(async () =>
    (await workspace.requests()).includes("POST /webhooks 0"),
  );
  await workspace.forgetFaults();
  expect(said).toContain("update canceled");
  const made = (await workspace.list("webhooks")).find(
    ({ url }) => url === "https://late.example/1",
  );
  const state = await stack.resources();
  expect(state.find(({ urn }) => urn.endsWith("::late"))?.id).toBe(made?.id);
  expect(await workspace.list("webhooks")).toHaveLength(2);
  declare(before);
  expect(await stack.up()).toEqual({ same: 6, delete: 1 });
});

it("tells a wrong input at its property, in the preview", async () => {
  const before = resources;
  declare(withProperties("key", { name: "ab", rateLimit: 0 }));
  const said = await stack.failing("preview");
  expect(said).toMatch(/property name value \{ab\} has a problem: .*3/);
  expect(said).toMatch(/property rateLimit value \{0\} has a problem/);
  declare(before);
});

it("refuses another region in the preview, and replaces nothing by a setting", async () => {
  await stack.configure("devid:region", "eu");
  const said = await stack.failing("preview", "--diff");
  expect(said).toContain("but the configured region is eu. Nothing was read");
  expect(said).not.toMatch(/replace/);
  await stack.configure("devid:region", "us");
});

it("imports every kind by its ID, with a program that is then unchanged", async () => {
  const made = async (path: string, body: Json) =>
    (await workspace.call("POST", path, body)) as { id: string };
  const environment = (await made("/environments", { name: "Theirs" })).id;
  const key = await made("/api-keys", {
    name: "Their key",
    type: "secret",
    environment,
  });
  const hook = await made("/webhooks", {
    url: "https://theirs.example/hook",
    environment,
  });
  await workspace.call("POST", "/filtering-rules/bulk", {
    mode: "overwrite",
    environment,
    rules: [{ ...rule("theirs"), status: "enabled", deny_with: "Forbidden" }],
  });
  const sealing = (await workspace.list("encryption-keys")).find(
    (one) => one.environment === environment,
  );
  const ids: [string, string, unknown][] = [
    ["Environment", "theirs", environment],
    ["ApiKey", "theirKey", key.id],
    ["Webhook", "theirHook", hook.id],
    ["FilteringRuleSet", "theirRules", environment],
    ["EncryptionKey", "theirSealing", sealing?.id],
  ];
  const list = join(stack.workFolder, "import.json");
  const code = join(stack.workFolder, "imported.yaml");
  const entries = ids.map(([kind, name, id]) => ({
    type: `devid:index:${kind}`,
    name,
    id,
  }));
  writeFileSync(list, JSON.stringify({ resources: entries }));
  const imported = await stack.operate(
    ...["import", "--yes", "--file", list],
    ...["--protect=false", "--out", code],
  );
  expect(imported.said).not.toContain("failed to validate");
  expect(imported.changes).toMatchObject({ import: 5 });
  const generated = parse(readFileSync(code, "utf8")) as {
    resources: Resources;
  };
  declare({ ...resources, ...generated.resources });
  const { changes } = await stack.preview();
  expect(changes).toEqual({ same: 11 });
  // The order of a destroy comes from references, which an import does not know.
  const text = JSON.stringify(resources).replaceAll(
    `"environment":"${environment}"`,
    '"environment":"${theirs.id}"',
  );
  declare(JSON.parse(text) as Resources);
  expect(await stack.up()).toEqual({ same: 11 });
});

it("is destroyed", async () => {
  const { changes } = await stack.destroy();
  expect(changes).toEqual({ delete: 11 });
  expect(await workspace.list("webhooks")).toEqual([]);
});

it("is added as a package by its folder, which then is all that a program needs", async () => {
  const file = join(stack.workFolder, "Pulumi.yaml");
  const { plugins, ...rest } = parse(program(RESOURCES)) as Json;
  expect(plugins).toBeDefined();
  writeFileSync(file, stringify(rest));
  const { code, output } = await stack.shell(`pulumi package add ${PLUGIN}`);
  expect({ code, output }).toMatchObject({
    code: 0,
    output: expect.stringContaining("Added package devid") as string,
  });
  expect((await stack.preview()).changes).toEqual({ create: 6 });
  // What Pulumi writes beside the plugin.
  rmSync(join(PLUGIN, "package-lock.json"), { force: true });
  rmSync(join(PLUGIN, "../schema-devid.json"), { force: true });
});
