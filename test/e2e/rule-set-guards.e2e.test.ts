import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { EngineStack } from "../helpers/engine-stack";
import { expectGolden } from "../helpers/golden";
import { LocalWorkspace } from "../helpers/local-workspace";

interface Rule {
  readonly name: string;
  readonly expression: string;
  readonly action: string;
}

const CRAWLERS: Rule = {
  name: "block-crawlers",
  expression: "http.user_agent.is_crawler_bot",
  action: "deny",
};
const SHOP: Rule = {
  name: "allow-our-shop",
  expression: "http.request.headers['Origin'][0] == 'https://shop.example'",
  action: "allow",
};
const BROWSERS: Rule = {
  name: "block-browsers",
  expression: "sdk.platform.is_browser",
  action: "deny",
};
const CURL: Rule = {
  name: "block-curl",
  expression: "http.user_agent.string startsWith 'curl/'",
  action: "deny",
};
const TOKEN: Rule = {
  name: "block-without-token",
  expression: "secret:http.request.headers['X-Token'][0] != 'a token of ours'",
  action: "deny",
};
const BY_HAND: Rule = {
  name: "by-hand",
  expression: "sdk.platform.is_ios",
  action: "deny",
};

let workspace: LocalWorkspace;
let stack: EngineStack;
let environment: string;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  environment = workspace.service.workspaces.us.environment;
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

const declare = (rules: readonly Rule[], more: object = {}) =>
  stack.declare([
    { kind: "FilteringRuleSet", as: "rules", args: { rules, ...more } },
  ]);

const addByHand = (rule: Rule) =>
  workspace.call("POST", "/filtering-rules", { environment, ...rule });

const namesInForce = async () =>
  (await workspace.list("filtering-rules")).map(({ name }) => name);

/** The calls that work makes, sorted. */
async function callsOf(work: () => Promise<unknown>): Promise<string[]> {
  const mark = await workspace.mark();
  await work();
  return (await workspace.requestsSince(mark))
    .map(({ method, path }) => `${method} ${path.split("?")[0] ?? ""}`)
    .sort();
}

/** Asked once a run, before the first write: which workspace is it? */
const WORKSPACE = "GET /management/environments";
const LIST = "GET /management/filtering-rules";
const BULK = "POST /management/filtering-rules/bulk";

/** The bulk call and another list go out at once. */
const UPDATE = [WORKSPACE, LIST, LIST, BULK];

/** The diagnostics that `pulumi preview` prints without `--diff`. */
async function previewed(): Promise<string> {
  const { text: printed } = await stack.operate("preview");
  const [, text = ""] = printed.split("Diagnostics:\n");
  const [diagnostics = ""] = text.split("\nResources:");
  return diagnostics.replaceAll(environment, "ae_0123456789abcdef");
}

async function previewOf(rules: readonly Rule[]): Promise<string> {
  declare(rules);
  return previewed();
}

it("does not create over rules that it does not have, until told to", async () => {
  await addByHand(BY_HAND);
  declare([CRAWLERS, SHOP, BROWSERS]);
  const said = await stack.failingUp();
  expect(said).toContain("by-hand");
  expect(said).toContain("takeOver: true");
  expect(await namesInForce()).toEqual(["by-hand"]);

  declare([CRAWLERS, SHOP, BROWSERS], { takeOver: true });
  expect(await stack.up()).toMatchObject({ create: 1 });
  expect(await namesInForce()).not.toContain("by-hand");
});

it("shows an insert as one line, without a call", async () => {
  declare([CRAWLERS, CURL, SHOP, BROWSERS]);
  let said = "";
  const calls = await callsOf(async () => (said = await previewed()));
  expect(calls).toEqual([]);
  expectGolden("rule-set/preview-insert.txt", said);
  for (const line of said.split("\n"))
    expect(line.length).toBeLessThanOrEqual(80);
  expect(await callsOf(() => stack.up())).toEqual(UPDATE);
});

it("shows every kind of change by the names of rules, and no secret", async () => {
  const text = await previewOf([
    BROWSERS,
    { ...CRAWLERS, action: "allow" },
    { ...SHOP, expression: "sdk.platform.is_android" },
    TOKEN,
  ]);
  expectGolden("rule-set/preview-changes.txt", text);
  expect(text).not.toContain("a token of ours");
});

it("fails in the preview of an update that deletes too many, and in the update", async () => {
  const text = await previewOf([SHOP]);
  expectGolden("rule-set/preview-refused.txt", text);
  const said = await stack.failingUp();
  expect(said).toContain("that would delete 3 of 4 rules (75 %)");
  expect(await namesInForce()).toHaveLength(4);

  // Somebody has deleted them already: a refresh shows that.
  const rules = await workspace.list("filtering-rules");
  for (const { id, name } of rules)
    if (name !== SHOP.name)
      await workspace.call("DELETE", `/filtering-rules/${String(id)}`);
  await stack.refresh();
  declare([CRAWLERS, CURL, SHOP, BROWSERS]);
  await stack.up();
});

it("does not overwrite what someone changed, shows it on refresh, and can keep it", async () => {
  await addByHand(BY_HAND);
  const kept = [CRAWLERS, SHOP, BROWSERS];
  declare(kept);
  const said = await stack.failingUp();
  expect(said).toContain("were changed by someone else");
  expect(said).toContain("+   5 by-hand deny  added after block-browsers\n");

  const refresh = "pulumi refresh --yes --skip-preview --diff --stack test";
  const { output } = await stack.shell(refresh);
  const marked = output.split("\n").filter((line) => /^\s+[-+~] /.test(line));
  const shown = marked.map((line) => line.trim().replace(/\s+/g, " "));
  expect(shown).toContain("+ by-hand : {");
  expect(shown).toContain('+ after : "block-browsers"');
  expect(shown).toContain('+ expression: "sdk.platform.is_ios"');
  expect(shown.join("\n")).not.toMatch(/allow-our-shop|block-crawlers : /);

  const text = await previewOf([...kept, BY_HAND]);
  expect(text).toContain("-     block-curl deny  removed\n");
  expect(text).toContain(
    "rules that somebody else wrote are in force, perhaps of another stack: by-hand; an update makes them its own.",
  );
  expect(await callsOf(() => stack.up())).toEqual(UPDATE);
  expect(await namesInForce()).toEqual([
    "block-crawlers",
    "allow-our-shop",
    "block-browsers",
    "by-hand",
  ]);
});

it("updates a set of 500 rules by three calls, and asks nothing when nothing changed", async () => {
  const many = Array.from({ length: 500 }, (_, i) => ({
    ...BY_HAND,
    name: `rule-${i}`,
  }));
  declare(many, { maxDeletedPercent: 100 });
  expect(await callsOf(() => stack.up())).toEqual(UPDATE);
  declare([...many.slice(0, 9), CURL, ...many.slice(9)]);
  expect(await callsOf(() => stack.up())).toEqual(UPDATE);
  expect(await callsOf(() => stack.preview())).toEqual([]);
  expect(await namesInForce()).toHaveLength(501);
});

it("works without a list of the rules, and says so once", async () => {
  await workspace.fault({
    match: { method: "GET", path: "/management/filtering-rules" },
    then: { status: 405 },
  });
  const args = { rules: [CRAWLERS], takeOver: true };
  stack.declare([
    { kind: "Environment", as: "staging", args: { name: "Staging" } },
    {
      kind: "FilteringRuleSet",
      as: "rules",
      args: { ...args, maxDeletedPercent: 100 },
    },
    {
      kind: "FilteringRuleSet",
      as: "others",
      args: { ...args, environment: "$staging.id" },
    },
  ]);
  const before = stack.output.length;
  await stack.up();
  const [, diagnostics = ""] = stack.output.slice(before).split("Diagnostics:");
  expect(diagnostics.match(/warning: Listing filtering rules/g)).toEqual([
    "warning: Listing filtering rules",
  ]);
  await stack.refresh();
  expect((await stack.preview()).changes).toEqual({ same: 4 });
  await workspace.forgetFaults();
  expect(await namesInForce()).toEqual(["block-crawlers", "block-crawlers"]);
});

it("is not destroyed over rules of its own that someone edited, until told to, and leaves those of others", async () => {
  await addByHand(BY_HAND);
  const [own] = (await workspace.list("filtering-rules")).filter(
    (rule) => rule.environment === environment && rule.name === CRAWLERS.name,
  );
  await workspace.call("POST", `/filtering-rules/${String(own?.id)}`, {
    expression: "sdk.platform.is_android",
  });
  await expect(stack.destroy()).rejects.toThrow("were not destroyed");
  expect(await namesInForce()).toContain(CRAWLERS.name);
  declare([CRAWLERS], { onDrift: "overwrite" });
  await stack.up();
  await stack.destroy();
  expect(await namesInForce()).toEqual([BY_HAND.name]);
});
