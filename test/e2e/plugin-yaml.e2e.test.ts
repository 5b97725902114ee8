import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { findEngine, findLanguageHost } from "@devid/engine";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { DevidProcess } from "../cli/devid-process";
import { EngineStack, TESTS } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

// A YAML program with the provider plugin, on a real engine. Each test continues from the state that the
// previous test left.

const PLUGIN = join(TESTS, "../provider/bin");

type Json = Record<string, unknown>;
type Resources = Record<
  string,
  { type: string; properties: Json; options?: Json }
>;

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
  const content = {
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
  };
  return stringify(content, { aliasDuplicateObjects: false });
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

it("has encrypted secrets in the state", async () => {
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

it("shows drift property by property, and an update reverts it", async () => {
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

it("takes objects over by name, with the values that the stack overrides", async () => {
  const before = resources;
  const url = "https://by-hand.example/hook";
  const theirs = await workspace.call("POST", "/webhooks", { url });
  const { id } = theirs as { id: string };
  const rulesBefore = await workspace.list("filtering-rules");
  declare({
    ...resources,
    hand: { type: "devid:Webhook", properties: { url } },
  });
  await stack.configure("devid:adopt", "byName");
  const overrides = {
    Webhook: { hand: { description: "Taken over" } },
    FilteringRuleSet: {
      rules: { without: ["between"], first: [rule("before")] },
    },
  };
  await stack.configure("devid:overrides", JSON.stringify(overrides));
  expect(await stack.up()).toEqual({ same: 5, create: 1, update: 1 });
  const hooks = await workspace.list("webhooks");
  expect(hooks.filter((hook) => hook.url === url)).toMatchObject([
    { id, description: "Taken over" },
  ]);
  const names = async () =>
    (await workspace.list("filtering-rules")).map(({ name }) => name);
  expect(await names()).toEqual(["before", "first", "last"]);
  const { changes } = await stack.preview("--expect-no-changes");
  expect(changes).toEqual({ same: 7 });
  await stack.shell("pulumi config rm devid:adopt");
  await stack.shell("pulumi config rm devid:overrides");
  declare(before);
  expect(await stack.up()).toEqual({ same: 5, update: 1, delete: 1 });
  expect(await names()).toEqual(rulesBefore.map(({ name }) => name));
});

it("has the object in state whose create was running when the user cancelled", async () => {
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

it("reports a wrong input at its property in the preview", async () => {
  const before = resources;
  declare(withProperties("key", { name: "ab", rateLimit: 0 }));
  const said = await stack.failing("preview");
  expect(said).toMatch(/property name value \{ab\} has a problem: .*3/);
  expect(said).toMatch(/property rateLimit value \{0\} has a problem/);
  declare(before);
});

it("is checked by the policy pack", async () => {
  const before = resources;
  declare(
    withProperties("rules", {
      rules: [{ ...rule("everybody"), expression: "true" }],
    }),
  );
  const pack = join(TESTS, "../policy");
  const said = await stack.failing("preview", "--policy-pack", pack);
  declare(before);
  const found = [...said.matchAll(/^ +- \[(\w+)\] +([\w-]+)/gm)];
  expect(found.map(([, level, name]) => `${level} ${name}`).sort()).toEqual([
    // There is no secret key for reading events.
    "mandatory deny-blast-radius",
    "mandatory encryption-key-protected",
    "mandatory no-deny-all",
    "mandatory webhook-https-and-verified",
  ]);
});

it("fails the review of a plan that deletes its rule set, and the review names the other deletions of the plan", async () => {
  const before = resources;
  const file = join(stack.workFolder, "reviewed.json");
  const preview = join(stack.workFolder, "preview.json");
  const rules = [rule("first"), rule("between"), rule("last")];
  writeFileSync(file, JSON.stringify({ rules }));
  const { rules: _, sealing: __, ...kept } = resources;
  declare(kept);
  await stack.shell("pulumi preview --json > preview.json");
  declare(before);
  const env = {
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
  };
  const reviewed = await DevidProcess.run(
    [
      ...["rules", "review", file, "--base", file, "--plan", preview],
      ...["--no-impact", "--fail-on", "plan-differs", "--json"],
    ],
    env,
  );
  expect(reviewed.code).toBe(2);
  expect(JSON.parse(reviewed.stdout)).toMatchObject({
    conditions: [{ condition: "plan-differs", outcome: "holds" }],
    verdict: { risk: "high" },
    plan: {
      ruleSets: [{ name: "rules", operation: "delete", isReviewed: true }],
      others: expect.arrayContaining([
        expect.objectContaining({
          operation: "delete",
          type: "EncryptionKey",
          name: "sealing",
        }),
      ]) as unknown,
      differences: [
        expect.stringMatching(/^The plan deletes the rule set rules of /),
      ],
    },
  });
  const diff = ["rules", "diff", "live", preview];
  const compared = await DevidProcess.run(diff, env);
  expect(compared.code).toBe(2);
  expect(compared.stdout).toContain("3 changes: 3 removed");
});

it("refuses another region in the preview, and a changed setting replaces nothing", async () => {
  await stack.configure("devid:region", "eu");
  const said = await stack.failing("preview", "--diff");
  expect(said).toContain("but the configured region is eu. Nothing was read");
  expect(said).not.toMatch(/replace/);
  await stack.configure("devid:region", "us");
});

const CANARY = "canary4711";

/** A rule file beside the program. */
function ruleFile(...names: string[]): void {
  const text = stringify({ rules: names.map(rule) });
  writeFileSync(join(stack.workFolder, "rules.yaml"), text);
}

const keyNames = async (region: "us" | "eu" = "us") =>
  (await workspace.list("api-keys", region))
    .map(({ name }) => String(name))
    .filter((name) => name !== "Local development")
    .sort();

/** A program with resources in two workspaces. */
const inTwoWorkspaces = (
  generations: string[],
  rotation: string,
): Resources => {
  const { managementKey } = workspace.service.workspaces.eu;
  const { rules: _, ...others } = resources.rules?.properties ?? {};
  const abroad = { provider: "${europe}" };
  /** A key in each workspace. */
  const keysOf = (generation: string): [string, object][] => [
    [
      `server-${generation}`,
      {
        type: "devid:ApiKey",
        // The key's ID is not known in the first preview.
        properties: { type: "secret", name: `\${european.id} ${generation}` },
      },
    ],
    [
      `abroad-${generation}`,
      {
        type: "devid:ApiKey",
        properties: {
          type: "secret",
          name: { "fn::secret": `${CANARY} ${generation}` },
        },
        options: abroad,
      },
    ],
  ];
  return {
    ...resources,
    rules: {
      type: "devid:FilteringRuleSet",
      properties: { ...others, rulesFile: "./rules.yaml" },
    },
    europe: {
      type: "pulumi:providers:devid",
      properties: {
        region: "eu",
        managementKey: { "fn::secret": managementKey },
      },
    },
    european: {
      type: "devid:ApiKey",
      properties: { name: "European", type: "public" },
      options: abroad,
    },
    ...(Object.fromEntries(generations.flatMap(keysOf)) as Resources),
    adopted: {
      type: "devid:ApiKey",
      properties: {
        name: "Adopted",
        type: "public",
        rotation,
        adopt: { name: "By hand" },
      },
    },
  };
};

it("has a rule file and resources in two workspaces", async () => {
  await workspace.call("POST", "/api-keys", {
    name: "By hand",
    type: "public",
  });
  ruleFile("first", "between", "last");
  declare(inTwoWorkspaces(["2026-10"], "1"));
  const { changes, text } = await stack.preview();
  expect(changes).toEqual({ same: 6, create: 5 });
  expect(text).toContain("ApiKey::server-2026-10]");
  expect(await stack.up()).toEqual(changes);
  const european = (await workspace.list("api-keys", "eu")).find(
    ({ name }) => name === "European",
  );
  expect(await keyNames("eu")).toEqual(["European", `${CANARY} 2026-10`]);
  expect(await keyNames()).toEqual([
    "Adopted",
    "Shop",
    `${String(european?.id)} 2026-10`,
  ]);
});

it("rotates keys, and shows which rule of the file changes", async () => {
  const adopted = await stack.urn("adopted");
  const { token } = await stack.outputs({ showSecrets: true });
  const idOf = async (urn: string) =>
    (await stack.resources()).find((one) => one.urn === urn)?.id;
  const before = await idOf(adopted);
  await workspace.call("POST", "/api-keys", {
    name: "By hand",
    type: "public",
  });
  ruleFile("first", "new", "between", "last");
  declare(inTwoWorkspaces(["2026-10", "2026-11"], "2"));
  const { text } = await stack.preview();
  expect(text).toContain("+ new: {");
  expect(text).not.toContain("- between");
  expect(await stack.up()).toEqual({
    same: 9,
    create: 2,
    update: 1,
    replace: 1,
  });
  expect(await keyNames("eu")).toEqual([
    "European",
    `${CANARY} 2026-10`,
    `${CANARY} 2026-11`,
  ]);
  // A replacement creates a new key, and keeps other objects with the name in adopt.
  expect(await keyNames()).toEqual(
    expect.arrayContaining(["Adopted", "By hand"]),
  );
  expect(await idOf(adopted)).not.toBe(before);
  const state = await stack.resources();
  const stored = JSON.stringify(state);
  const { managementKey } = workspace.service.workspaces.eu;
  for (const secret of [CANARY, managementKey, String(token)])
    expect(stored + stack.output).not.toContain(secret);
});

it("names the line of a mistake in a rule file in the preview", async () => {
  ruleFile("first", "first");
  const said = await stack.failing("preview");
  expect(said).toMatch(
    /rulesFile value \{\.\/rules\.yaml\} has a problem: is not valid:\s+\.\/rules\.yaml:5:11 rules\[1\]\.name: /,
  );
});

it("is destroyed", async () => {
  const { changes } = await stack.destroy();
  expect(changes).toEqual({ delete: 13 });
  expect(await keyNames()).toEqual(["By hand"]);
  expect(await keyNames("eu")).toEqual([]);
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
