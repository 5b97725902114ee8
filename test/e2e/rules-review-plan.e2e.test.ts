import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RuleSetDiff } from "@devid/rules";
import { createClient, optionsFromEnvironment } from "@devid/sdk";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ProviderWorkspaces } from "../../cli/src/sources/review/provider-workspaces";
import { readPlan } from "../../cli/src/sources/review/read-plan";
import { DevidProcess } from "../cli/devid-process";
import { EngineStack, type Declared } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";

const CRAWLERS = {
  name: "crawlers",
  expression: "http.user_agent.is_crawler_bot",
  action: "deny",
};
const BROWSERS = {
  name: "browsers",
  expression: "sdk.platform.is_browser",
  action: "deny",
};

/** Each place has an environment of its own. One plan covers all places. */
const PLACES = ["created", "updated", "replaced", "same", "gone"] as const;
type Place = (typeof PLACES)[number];

let workspace: LocalWorkspace;
let stack: EngineStack;
let env: Record<string, string>;
const environments = {} as Record<Place | "elsewhere", string>;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  const { us } = workspace.service.workspaces;
  env = {
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: us.managementKey,
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  for (const place of [...PLACES, "elsewhere"] as const) {
    const made = await workspace.call("POST", "/environments", { name: place });
    environments[place] = (made as { id: string }).id;
  }
  stack = await EngineStack.open(env);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  stack?.close();
  await workspace?.close();
});

// Each test continues from the state that the previous test left, because a stack has one history.
// test/cli/review tests all other plans, with recorded plans.

const ruleSet = (as: Place, args: Record<string, unknown> = {}): Declared => ({
  kind: "FilteringRuleSet",
  as,
  args: {
    environment: environments[as],
    rules: [CRAWLERS],
    takeOver: true,
    ...args,
  },
});

/** The review's reading of the preview with the saved plan. */
async function planned(flags = "", resource?: Place) {
  await stack.shell(
    `pulumi preview --json --save-plan plan.json ${flags} > preview.json || true`,
  );
  const path = "preview.json";
  return readPlan({
    text: readFileSync(join(stack.workFolder, path), "utf8"),
    path,
    ...(resource !== undefined && { resource: [resource] }),
    workspaces: new ProviderWorkspaces(
      createClient(optionsFromEnvironment([])),
    ),
  });
}

it("reads the effect of a plan on each rule set, after a refresh that found another rule", async () => {
  stack.declare(PLACES.slice(1).map((place) => ruleSet(place)));
  await stack.up();
  await workspace.call("POST", "/filtering-rules", {
    ...BROWSERS,
    name: "hot fix",
    environment: environments.updated,
  });
  stack.declare([
    ruleSet("created"),
    ruleSet("updated", { rules: [CRAWLERS, BROWSERS] }),
    ruleSet("replaced", { environment: environments.elsewhere }),
    ruleSet("same"),
  ]);
  const plan = await planned("--refresh --show-sames", "updated");
  if (!("subject" in plan)) throw new Error(plan.absent);
  const { subject } = plan;
  expect(subject.stack).toBe("declared/test");
  const environment = (place: keyof typeof environments) =>
    `${place} (${environments[place]})`;
  const byName = (name: Place) =>
    subject.ruleSets.filter((one) => one.name === name);
  expect(byName("created")).toMatchObject([
    {
      operation: "create",
      environment: environment("created"),
      inForce: [],
      planned: [{ name: "crawlers" }],
      settings: [{ name: "takeOver", after: "true", isLoosened: true }],
    },
  ]);
  expect(byName("updated")).toMatchObject([
    {
      operation: "update",
      inForce: [{ name: "crawlers" }, { name: "hot fix" }],
      inForceFrom: "service",
      planned: [{ name: "crawlers" }, { name: "browsers" }],
      settings: [],
    },
  ]);
  expect(byName("replaced")).toMatchObject([
    { operation: "replace", environment: environment("elsewhere") },
    {
      operation: "delete",
      environment: environment("replaced"),
      planned: [],
    },
  ]);
  expect(byName("same")).toMatchObject([{ operation: "same" }]);
  expect(byName("gone")).toMatchObject([{ operation: "delete", planned: [] }]);
});

it("devid rules diff compares the plan with the rules in force", async () => {
  const preview = join(stack.workFolder, "preview.json");
  const { code, stdout } = await DevidProcess.run(
    ["rules", "diff", "live", preview, "--resource", "updated", "--json"],
    env,
  );
  expect(code).toBe(2);
  const { changes } = JSON.parse(stdout) as RuleSetDiff;
  expect(changes.map(({ kind, rule }) => [kind, rule.name])).toEqual([
    ["removed", "hot fix"],
    ["added", "browsers"],
  ]);
});

it("reports why a preview failed", async () => {
  stack.declare([ruleSet("created", { rules: [] })]);
  expect(await planned()).toEqual({
    absent: expect.stringContaining(
      "rules: is empty, which would allow every request",
    ) as string,
  });
});
