import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rulesDigest, type Rule } from "@devid/rules";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  EngineStack,
  type Declared,
  type Outcome,
} from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

// The review reads a saved plan and the digest of the rules in force. The apply runs the plan with the same
// digest.

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

const RULES = [CRAWLERS, CURL, BROWSERS, HOT_FIX];

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

// Each test continues from the state that the previous test left, because a stack has one history.

const declare = (
  rules: readonly object[],
  expectedInForce: string | undefined,
  more: object = {},
  others: readonly Declared[] = [],
) =>
  stack.declare([
    {
      kind: "FilteringRuleSet",
      as: "rules",
      args: { rules, ...(expectedInForce && { expectedInForce }), ...more },
    },
    ...others,
  ]);

const plan = () => join(stack.workFolder, "plan.json");

/** The review job of a pipeline. Returns the preview. */
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

/** The output of `devid rules in-force --format digest`. */
async function digestInForce(): Promise<string> {
  const rules = await workspace.list("filtering-rules");
  return rulesDigest(
    rules.map(
      ({ deny_with, ...one }) => ({ ...one, denyWith: deny_with }) as Rule,
    ),
  );
}

// test/provider/resources/filtering-rule-set/guards.test.ts tests which digests are refused. This file tests
// what a saved plan adds.

it("refuses a first takeOver when somebody added a rule since the review, and applies it otherwise", async () => {
  await addByHand(CRAWLERS);
  await addByHand(TOR);
  declare([CRAWLERS, CURL], await digestInForce(), { takeOver: true });
  await review();
  await addByHand(HOT_FIX);
  const { code, said } = await apply();
  expect(code).not.toBe(0);
  expect(said).toContain(
    "other rules are in force than this change was reviewed against",
  );
  // The engine's own message about a plan that failed is no help.
  expect(said).not.toContain("expected resource operations");
  expect(await namesInForce()).toEqual([
    "block-crawlers",
    "block-tor",
    "hot-fix",
  ]);

  await removeByHand("hot-fix");
  expect(await apply()).toMatchObject({ code: 0 });
  expect(await namesInForce()).toEqual(["block-crawlers", "block-curl"]);
});

it("applies a plan only with the digest of the reviewed rules", async () => {
  const digest = await digestInForce();
  declare(RULES, digest);
  await review();
  declare(RULES, `sha256:${"0".repeat(64)}`);
  const other = await apply();
  expect(other.code).not.toBe(0);
  expect(other.said).toContain("violates plan");
  expect(await digestInForce()).toBe(digest);

  declare(RULES, digest);
  expect(await apply()).toMatchObject({ code: 0, changes: { update: 1 } });
  expect(await namesInForce()).toEqual(RULES.map(({ name }) => name));
});

it("does not count another digest as a change, beside a resource that is created", async () => {
  // An API key asks the engine for the state only in a preview, and its plan stays valid.
  const key: Declared = {
    kind: "ApiKey",
    as: "key",
    args: { name: "Shop", type: "public" },
  };
  declare(RULES, await digestInForce(), {}, [key]);
  const { said, changes } = await review();
  expect(changes).toEqual({ same: 2, create: 1 });
  expect(said).not.toContain("expectedInForce");
  expect((await apply()).changes).toEqual({ same: 2, create: 1 });
});

it("fails the preview of a change that the update would refuse, so no plan is saved", async () => {
  declare([TOR, BROWSERS], undefined);
  rmSync(plan(), { force: true });
  const { code, said } = await stack.operate("preview", "--save-plan", plan());
  expect.soft(code).not.toBe(0);
  expect.soft(said).toContain("would delete 3 of 4 rules (75 %)");
  expect.soft(existsSync(plan())).toBe(false);
});
