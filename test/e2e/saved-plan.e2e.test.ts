import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rulesDigest, type Rule } from "@devid/rules";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EngineStack, type Outcome } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

// Reviewed is a saved plan and the digest of the rules in force; applied is the
// plan, with the same digest.

const rule = (name: string, expression: string) => ({
  name,
  expression,
  action: "deny",
});
const CRAWLERS = rule("block-crawlers", "http.user_agent.is_crawler_bot");
const CURL = rule("block-curl", "http.user_agent.string startsWith 'curl/'");
const BROWSERS = rule("block-browsers", "sdk.platform.is_browser");
const TOR = rule("block-tor", "http.request.ip in cidr('203.0.113.0/24')");
const HOT_FIX = rule("hot-fix", "http.request.ip in cidr('192.0.2.0/24')");

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

afterAll(async () => {
  stack?.close();
  await workspace?.close();
});

// Each test goes on where the one before it stopped: a stack has one history.

const declare = (
  rules: readonly object[],
  expectedInForce: string | undefined,
  more: object = {},
) =>
  stack.declare([
    {
      kind: "FilteringRuleSet",
      as: "rules",
      args: { rules, ...(expectedInForce && { expectedInForce }), ...more },
    },
  ]);

const plan = () => join(stack.workFolder, "plan.json");

/** What the review job of a pipeline does; answers the preview. */
async function review(): Promise<Outcome> {
  rmSync(plan(), { force: true });
  const previewed = await stack.operate("preview", "--save-plan", plan());
  expect(previewed.code, previewed.said).toBe(0);
  return previewed;
}

const apply = () =>
  stack.operate("up", "--plan", plan(), "--yes", "--skip-preview");

const addByHand = (one: object) =>
  workspace.call("POST", "/filtering-rules", { environment, ...one });

const removeByHand = async (name: string) => {
  const found = (await workspace.list("filtering-rules")).find(
    (one) => one.name === name,
  );
  await workspace.call("DELETE", `/filtering-rules/${String(found?.id)}`);
};

const namesInForce = async () =>
  (await workspace.list("filtering-rules")).map(({ name }) => name);

/** What `devid rules in-force --format digest` prints. */
async function digestInForce(): Promise<string> {
  const rules = await workspace.list("filtering-rules");
  return rulesDigest(
    rules.map(
      ({ deny_with, ...one }) => ({ ...one, denyWith: deny_with }) as Rule,
    ),
  );
}

it("refuses a first takeOver where somebody added a rule since the review, and applies it otherwise", async () => {
  await addByHand(CRAWLERS);
  await addByHand(TOR);
  declare([CRAWLERS, CURL], await digestInForce(), { takeOver: true });
  await review();
  await addByHand(HOT_FIX);
  const { code, said } = await apply();
  expect(code).not.toBe(0);
  expect(said).toContain("not those that this change was reviewed against");
  expect(await namesInForce()).toEqual([
    "block-crawlers",
    "block-tor",
    "hot-fix",
  ]);

  await removeByHand("hot-fix");
  expect(await apply()).toMatchObject({ code: 0 });
  expect(await namesInForce()).toEqual(["block-crawlers", "block-curl"]);
});

it("applies a plan to the rules that it was reviewed against, and only with their digest", async () => {
  const digest = await digestInForce();
  const rules = [CRAWLERS, CURL, BROWSERS];
  declare(rules, digest);
  await review();
  declare(rules, `sha256:${"0".repeat(64)}`);
  const other = await apply();
  expect(other.code).not.toBe(0);
  expect(other.said).toContain("violates plan");
  expect(await digestInForce()).toBe(digest);

  declare(rules, digest);
  expect(await apply()).toMatchObject({ code: 0, changes: { update: 1 } });
  expect(await namesInForce()).toEqual(rules.map(({ name }) => name));
});

it("refuses a plan where somebody added a rule since its review, after a refresh too", async () => {
  declare([CRAWLERS, CURL], await digestInForce());
  await review();
  await addByHand(HOT_FIX);
  const inForce = await namesInForce();
  const first = await apply();
  expect(first.code).not.toBe(0);
  expect(first.said).toContain("+   4 hot-fix");
  // The engine's own words about a plan that was not carried out are no help.
  expect(first.said).not.toContain("expected resource operations");
  expect(await namesInForce()).toEqual(inForce);

  await stack.refresh();
  const second = await apply();
  expect.soft(second.code).not.toBe(0);
  expect.soft(second.said).toContain("hot-fix");
  expect.soft(second.said).not.toContain("onDrift");
  expect(await namesInForce()).toEqual(inForce);
});

it("applies what is reviewed anew against the rules that are in force now", async () => {
  declare([CRAWLERS, CURL, HOT_FIX], await digestInForce());
  await review();
  expect(await apply()).toMatchObject({ code: 0, changes: { update: 1 } });
  expect(await namesInForce()).toEqual([
    "block-crawlers",
    "block-curl",
    "hot-fix",
  ]);
});

it("takes another digest for no change, with and without a refresh", async () => {
  const rules = [CRAWLERS, CURL, HOT_FIX];
  const same = { same: 2 };
  declare(rules, await digestInForce());
  const { said, changes } = await review();
  expect(changes).toEqual(same);
  expect(said).not.toContain("expectedInForce");
  expect((await apply()).changes).toEqual(same);
  expect(await stack.refresh()).toEqual(same);
  declare(rules, `sha256:${"1".repeat(64)}`);
  expect((await stack.preview()).changes).toEqual(same);
  expect(await stack.up()).toEqual(same);
  declare(rules, undefined);
  expect((await stack.preview()).changes).toEqual(same);
  expect(await stack.up()).toEqual(same);
});

it("fails the preview of a change that the update refuses, which saves no plan", async () => {
  const all = [CRAWLERS, CURL, HOT_FIX, TOR];
  declare(all, undefined);
  await stack.up();
  declare([TOR, BROWSERS], undefined);
  rmSync(plan(), { force: true });
  const { code, said } = await stack.operate("preview", "--save-plan", plan());
  expect.soft(code).not.toBe(0);
  expect.soft(said).toContain("would delete 3 of 4 rules (75 %)");
  expect.soft(existsSync(plan())).toBe(false);
});

it("destroys whatever was reviewed", async () => {
  declare([CRAWLERS, CURL, HOT_FIX, TOR], `sha256:${"2".repeat(64)}`);
  await stack.up();
  await stack.destroy();
  expect(await namesInForce()).toEqual([]);
});
