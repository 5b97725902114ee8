import {
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { EngineStack, PLUGIN, TESTS } from "../helpers/engine-stack";
import { pluginProject, yamlHostSettings } from "../helpers/form-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { rule } from "../rules/diff/rule";

// A YAML program with the provider plugin, on a real engine. Each test continues from the state that the
// previous test left.

type Json = Record<string, unknown>;
type Resources = Record<
  string,
  { type: string; properties: Json; options?: Json }
>;

const named = (name: string) => rule(name, 'sdk.version == "1.2.3"');

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
      rules: [named("first"), named("last")],
    },
  },
  sealing: {
    type: "devid:EncryptionKey",
    properties: { environment: "${staging.id}", status: "enabled" },
  },
};

const workspace = openForTests(new LocalWorkspace());
let stack: EngineStack;
let resources = RESOURCES;

/** The program's file with these resources. */
const program = (declared: Resources) =>
  pluginProject("shop", "yaml", {
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
  stack = await EngineStack.open(
    { DEVID_ENDPOINT: workspace.url, ...(await yamlHostSettings()) },
    { "Pulumi.yaml": program(RESOURCES) },
  );
  const { managementKey } = workspace.service.workspaces.us;
  await stack.configure("devid:managementKey", managementKey, { secret: true });
});

afterAll(() => stack.close());

it("is previewed with unknown outputs, and then created", async () => {
  const { text } = await stack.preview();
  expect(text).toMatch(/url *: "https:\/\/shop.example\/hook"/);
  expect(text).toMatch(/environment *: \[unknown\]/);
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

it("takes an output without a value, which is null in YAML, as an absent input", async () => {
  declare(withProperties("key", { description: "${staging.description}" }));
  expect(await stack.up()).toEqual({ same: 6 });
  declare(RESOURCES);
});

it("shows an inserted rule as one addition, and one changed property", async () => {
  declare(
    withProperties("rules", {
      rules: [named("first"), named("between"), named("last")],
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
    "~ last   : {",
    '~ after: "first" => "between"',
  ]);
  expect(await stack.up()).toEqual({ same: 5, update: 1 });
});

it("is destroyed", async () => {
  const { changes } = await stack.destroy();
  expect(changes).toEqual({ delete: 6 });
  expect(await workspace.list("webhooks")).toEqual([]);
});

it("is added as a package with the lines of the page, and needs nothing else", async () => {
  const page = readFileSync(join(TESTS, "../docs/plugin.md"), "utf8");
  const lines = /^packages:\n(?: .*\n)+/m.exec(page)?.[0] ?? "";
  const command = /^pulumi package add .*$/m.exec(page)?.[0] ?? "";
  expect(lines).toContain("./node_modules/@devid/pulumi/bin");
  const scope = join(stack.workFolder, "node_modules/@devid");
  mkdirSync(scope, { recursive: true });
  symlinkSync(join(PLUGIN, ".."), join(scope, "pulumi"));
  const file = join(stack.workFolder, "Pulumi.yaml");
  const { plugins, ...rest } = parse(program(RESOURCES)) as Json;
  expect(plugins).toBeDefined();
  writeFileSync(file, stringify(rest) + lines);
  const { code, output } = await stack.shell(command);
  expect({ code, output }).toMatchObject({
    code: 0,
    output: expect.stringContaining("Added package devid") as string,
  });
  expect((await stack.preview()).changes).toEqual({ create: 6 });
  // A file that Pulumi writes into the plugin's folder.
  rmSync(join(PLUGIN, "package-lock.json"), { force: true });
  rmSync(join(PLUGIN, "../schema-devid.json"), { force: true });
});
