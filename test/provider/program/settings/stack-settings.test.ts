import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as devid from "@devid/pulumi";
import * as plugin from "@devid/pulumi/plugin";
import {
  applyStackSettings,
  type AppliedStackSettings,
} from "@devid/pulumi/settings";
import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeEach, expect, it, vi } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "devid-settings-"));
const declared = new Map<string, Record<string, unknown>>();

afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(async () => {
  declared.clear();
  await pulumi.runtime.setMocks(
    {
      call: () => ({}),
      newResource: ({ name, inputs, type }) => {
        if (/^pulumi-nodejs:|^devid:/.test(type))
          declared.set(name, inputs as Record<string, unknown>);
        return { id: `${name}-id`, state: inputs as object };
      },
    },
    "shop",
    "eu",
  );
});

/** Runs a program in a stack with these settings in its config. */
async function run(
  settings: unknown,
  program: () => void,
): Promise<AppliedStackSettings> {
  pulumi.runtime.setConfig("shop:settings", JSON.stringify(settings));
  let applied: AppliedStackSettings | undefined;
  let failure: unknown;
  await pulumi.runtime.runInPulumiStack(() => {
    try {
      applied = applyStackSettings({ config: new pulumi.Config("shop") });
      program();
    } catch (error) {
      // Without the catch, the error would end the process.
      failure = error;
    }
    return Promise.resolve({});
  });
  if (applied && failure === undefined) return applied;
  throw failure;
}

const key = (name: string) =>
  new devid.ApiKey(name, { name: "Shop", type: "public", rateLimit: 5 });
const RULES = ["a", "b", "c"].map((name) => ({
  name,
  expression: "sdk.platform.is_ios",
  action: "deny" as const,
}));
/** Waits for both resources, because a resource is registered some time after its construction. */
const bothDeclared = () =>
  vi.waitFor(() => expect([...declared.keys()].sort()).toEqual(["one", "two"]));
const namesOf = (name: string) =>
  (declared.get(name) as { rules: { name: string }[] }).rules.map(
    (rule) => rule.name,
  );

it("settings override the arguments of the plugin's resources", async () => {
  await run({ ApiKey: { one: { rateLimit: 50 } } }, () => [
    new plugin.ApiKey("one", { name: "Shop", type: "public", rateLimit: 5 }),
    key("two"),
  ]);
  await bothDeclared();
  expect(declared.get("one")).toMatchObject({ rateLimit: 50 });
});

it("settings override the program's arguments, by kind and name", async () => {
  const settings = { ApiKey: { one: { rateLimit: 50 } }, Webhook: {} };
  const applied = await run(settings, () => [key("one"), key("two")]);
  await bothDeclared();
  expect(declared.get("one")).toMatchObject({ name: "Shop", rateLimit: 50 });
  expect(declared.get("two")).toMatchObject({ name: "Shop", rateLimit: 5 });
  applied.assertUsed();
});

it("settings that name undeclared resources are reported", async () => {
  const settings = { ApiKey: { one: {}, tow: {} }, Webhook: { one: {} } };
  const applied = await run(settings, () => [key("one")]);
  expect(() => applied.assertUsed()).toThrow(
    "Stack config shop:settings names resources that the program does not declare: ApiKey tow, Webhook one.",
  );
});

it("settings remove rules and add rules at either end", async () => {
  const path = (name: string) => join(folder, `${name}.yaml`);
  for (const name of ["x", "y"])
    writeFileSync(
      path(name),
      `rules: [{ name: ${name}, expression: "true", action: allow }]`,
    );
  const rules = { without: ["b"], first: path("x"), last: path("y") };
  await run(
    { FilteringRuleSet: { one: { ...rules, onDrift: "overwrite" } } },
    () => [
      new devid.FilteringRuleSet("one", { rules: RULES }),
      new devid.FilteringRuleSet("two", { rules: RULES }),
    ],
  );
  await bothDeclared();
  expect(namesOf("one")).toEqual(["x", "a", "c", "y"]);
  expect(declared.get("one")).toMatchObject({ onDrift: "overwrite" });
  expect(namesOf("two")).toEqual(["a", "b", "c"]);
});

it("settings of another project are refused, and config of other packages is left alone", async () => {
  const program = () => undefined;
  pulumi.runtime.setAllConfig({
    "aws:settings": JSON.stringify({ retries: 3 }),
    "other:settings": "text",
  });
  await run({}, program);
  pulumi.runtime.setAllConfig({
    "old:settings": JSON.stringify({ ApiKey: { one: { rateLimit: 50 } } }),
  });
  await expect(run({}, program)).rejects.toThrow(
    "Stack config has old:settings, but this project is called shop, so none of it would apply. Rename it to shop:settings in Pulumi.eu.yaml.",
  );
  pulumi.runtime.setAllConfig({});
});

it("settings that name a missing rule file are reported in one sentence", async () => {
  const program = () => {
    new devid.FilteringRuleSet("one", { rules: RULES });
  };
  const settings = { FilteringRuleSet: { one: { first: "rules/none.yaml" } } };
  await expect(run(settings, program)).rejects.toThrow(
    `The settings of FilteringRuleSet one name the rule file rules/none.yaml (first), which cannot be read: there is no such file in ${process.cwd()}.`,
  );
});

it.each([
  [
    { APIKey: {} },
    /settings is not valid:\n.*APIKey.*\nIt may hold arguments/s,
  ],
  [{ ApiKey: ["one"] }, /settings is not valid:\n {2}ApiKey: /],
  [
    { FilteringRuleSet: { one: { without: "b" } } },
    /The settings of FilteringRuleSet one are not valid: without: /,
  ],
  [
    { FilteringRuleSet: { one: { without: ["d", "a", "e"] } } },
    /leave out rules that it does not have: d, e\./,
  ],
])("settings are refused when they are %j", async (settings, message) => {
  const program = () => {
    new devid.FilteringRuleSet("one", { rules: RULES });
  };
  await expect(run(settings, program)).rejects.toThrow(message);
});
