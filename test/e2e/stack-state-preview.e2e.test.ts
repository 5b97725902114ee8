import { expect, it } from "vitest";
import { openForTests } from "../helpers/open-for-tests";
import { WorkspaceStack } from "../helpers/workspace-stack";
import { type Declared } from "../helpers/engine-stack";

const local = openForTests(new WorkspaceStack());
const { workspace } = local;

/** A resource with options for test/e2e/program. */
type WithOptions = Declared & { readonly opts?: object };

const rules = (as: string, args: object = {}, opts?: object): WithOptions => ({
  kind: "FilteringRuleSet",
  as,
  args: {
    rules: [{ name: "bots", expression: "false", action: "deny" }],
    ...args,
  },
  opts,
});
const key: Declared = {
  kind: "ApiKey",
  as: "key",
  args: { name: "Shop", type: "public" },
};

const GOES = /is left without filtering rules/;
const ALIAS = /is the FilteringRuleSet/;

/** The output of a preview, whether it succeeds or fails. */
const preview = async (resources: readonly WithOptions[]) => {
  local.stack.declare(resources);
  const before = local.stack.output.length;
  await local.stack.operate("preview");
  return local.stack.output.slice(before);
};

// Each test continues from the state that the previous test left, because a stack has one history.

// test/provider/program/describe-lost-rules.test.ts tests the text for each program.

it("names the environment that loses its rules", async () => {
  local.stack.declare([key, rules("rules")]);
  await local.stack.up();
  expect(local.stack.output).not.toMatch(ALIAS);
  const { environmentId } = (await outputsOf("rules")) as {
    environmentId: string;
  };
  const said = await preview([key]);
  expect(said).toContain(
    `warning: Environment ${environmentId} is left without filtering rules, because FilteringRuleSet "rules" is deleted. Every request is then allowed.`,
  );
  expect(said).toContain("1 to delete");
});

it("prints nothing when an alias says that a rule set was moved", async () => {
  const group = { kind: "Component", as: "group", args: {} };
  const aliases = [{ parent: "root" }];
  const said = await preview([
    key,
    group,
    rules("rules", {}, { parent: "$group", aliases }),
  ]);
  expect(said).not.toMatch(ALIAS);
  expect(said).not.toMatch(GOES);
});

it("prints the alias before a check of the renamed rule set ends the program", async () => {
  const wrong = [{ name: "bots", expression: "nonsense(", action: "deny" }];
  const said = await preview([key, rules("main", { rules: wrong })]);
  expect(said).toContain("nonsense() is not supported");
  expect(said).toContain(
    `If "main" is the FilteringRuleSet "rules" under a new name, add { aliases: [{ name: "rules" }] } to its options`,
  );
  expect(said).not.toMatch(GOES);
});

it("prints nothing in the update that deletes the rules", async () => {
  local.stack.declare([key]);
  const before = local.stack.output.length;
  await local.stack.up();
  expect(local.stack.output.slice(before)).not.toMatch(GOES);
  expect(await workspace.list("filtering-rules")).toEqual([]);
});

async function outputsOf(name: string): Promise<unknown> {
  const { deployment } = JSON.parse(await local.stack.exported()) as {
    deployment: { resources: { urn: string; outputs?: unknown }[] };
  };
  return deployment.resources.find(({ urn }) => urn.endsWith(`::${name}`))
    ?.outputs;
}
