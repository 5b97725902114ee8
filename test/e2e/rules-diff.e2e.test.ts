import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RuleSetDiff } from "../../rules/src";
import { DevidProcess } from "../cli/devid-process";
import { EngineStack } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

const CRAWLERS = {
  name: "crawlers",
  expression: "http.user_agent.is_crawler_bot",
  action: "deny",
};
const SHOP = {
  name: "our shop",
  expression: "http.request.headers['Origin'][0] == 'https://shop.example'",
  action: "allow",
};
const BROWSERS = {
  name: "browsers",
  expression: "sdk.platform.is_browser",
  action: "deny",
};
const CURL = {
  name: "curl",
  expression: "http.user_agent.string startsWith 'curl/'",
  action: "deny",
};

let workspace: LocalWorkspace;
let stack: EngineStack;
let env: Record<string, string>;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  env = {
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
  };
  stack = await EngineStack.open(env);
});

afterAll(async () => {
  stack?.close();
  await workspace?.close();
});

// Each test goes on where the one before it stopped: a stack has one history.

const declare = (...rules: unknown[]) =>
  stack.declare([{ kind: "FilteringRuleSet", as: "rules", args: { rules } }]);

/** Writes the preview of what is declared; answers its path. */
async function preview(...flags: string[]): Promise<string> {
  const path = join(stack.workFolder, "preview.json");
  writeFileSync(path, await stack.previewJson(...flags));
  return path;
}

const diff = (...args: string[]) =>
  DevidProcess.run(["rules", "diff", ...args], env);

it("shows what a first update would put in force", async () => {
  declare(CRAWLERS, SHOP, BROWSERS);
  const { code, stdout } = await diff("live", await preview(), "--json");
  expect(code).toBe(2);
  const { changes } = JSON.parse(stdout) as RuleSetDiff;
  expect(changes.map(({ kind, rule }) => [kind, rule.name])).toEqual([
    ["added", "crawlers"],
    ["added", "our shop"],
    ["added", "browsers"],
  ]);
});

it("shows what the next one would change, as the rule file itself does", async () => {
  await stack.up();
  const next = [SHOP, { ...CRAWLERS, action: "allow" }, CURL];
  declare(...next);
  const file = join(stack.workFolder, "next.json");
  writeFileSync(file, JSON.stringify({ rules: next }));
  const ofPreview = await diff("live", await preview(), "--json");
  const { changes } = JSON.parse(ofPreview.stdout) as RuleSetDiff;
  expect(changes.map(({ kind, rule }) => [kind, rule.name])).toEqual([
    ["removed", "browsers"],
    ["edited", "crawlers"],
    ["moved", "our shop"],
    ["added", "curl"],
  ]);
  const ofFile = await diff("live", file, "--json");
  const summary = (text: string) =>
    (JSON.parse(text) as RuleSetDiff).changes.map(
      ({ rule, effect, ...step }) => ({
        ...step,
        name: rule.name,
        class: effect.class,
      }),
    );
  expect(summary(ofPreview.stdout)).toEqual(summary(ofFile.stdout));
});

it("finds no difference once that is done", async () => {
  const planned = join(stack.workFolder, "preview.json");
  await stack.up();
  expect(await diff("live", planned)).toMatchObject({ code: 0, stderr: "" });
  const unchanged = await diff("live", await preview());
  expect(unchanged.code).toBe(1);
  expect(unchanged.stderr).toContain("--show-sames");
  expect((await diff("live", await preview("--show-sames"))).code).toBe(0);
});

it("refuses rules that a preview hides or does not know", async () => {
  declare({ ...CRAWLERS, expression: `secret:${CRAWLERS.expression}` });
  const secret = await diff("live", await preview());
  expect(secret.code).toBe(1);
  expect(secret.stderr).toContain("has a secret at rules");

  const rules = [{ ...CRAWLERS, expression: "$server.token" }];
  stack.declare([
    { kind: "ApiKey", as: "server", args: { name: "Server", type: "public" } },
    { kind: "FilteringRuleSet", as: "rules", args: { rules } },
  ]);
  const unknown = await diff("live", await preview());
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain(
    "at rules.crawlers.expression that is known only after",
  );
});
