import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, resolveConfiguration } from "@devid/sdk";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { LiveRules } from "../../cli/src/sources/live-rules";
import { reviewPlan } from "../../cli/src/sources/review/review-plan";
import { EngineStack } from "../helpers/engine-stack";
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

let workspace: LocalWorkspace;
let stack: EngineStack;
let main: string;
let staging: string;

beforeAll(async () => {
  workspace = await LocalWorkspace.start();
  const { us } = workspace.service.workspaces;
  const env = {
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: us.managementKey,
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  main = us.environment;
  const made = await workspace.call("POST", "/environments", {
    name: "Staging",
  });
  staging = (made as { id: string }).id;
  stack = await EngineStack.open(env);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  stack?.close();
  await workspace?.close();
});

// Each test goes on where the one before it stopped: a stack has one history.

const declare = (args: Record<string, unknown>) =>
  stack.declare([{ kind: "FilteringRuleSet", as: "rules", args }]);

/** What a review makes of the preview whose plan is saved. */
async function planned(...flags: string[]) {
  await stack.shell(
    `pulumi preview --json --save-plan plan.json ${flags.join(" ")} > preview.json || true`,
  );
  const path = "preview.json";
  return reviewPlan({
    text: readFileSync(join(stack.workFolder, path), "utf8"),
    path,
    live: new LiveRules(createClient(resolveConfiguration([]))),
  });
}

it("reads a creation, beside a plan that is saved", async () => {
  declare({ rules: [CRAWLERS], takeOver: true });
  expect(await planned()).toMatchObject({
    subject: {
      stack: "declared/test",
      ruleSets: [
        {
          name: "rules",
          operation: "create",
          environment: `Default (${main})`,
          isReviewed: true,
          inForce: [],
          planned: [{ name: "crawlers" }],
          settings: [{ name: "takeOver", after: "true", isLoosened: true }],
        },
      ],
      others: [],
    },
  });
  await stack.up();
});

it("reads an update after a refresh that has found another rule", async () => {
  await workspace.call("POST", "/filtering-rules", {
    ...BROWSERS,
    name: "hot fix",
    environment: main,
  });
  declare({ rules: [CRAWLERS, BROWSERS], takeOver: true });
  expect(await planned("--refresh")).toMatchObject({
    subject: {
      ruleSets: [
        {
          operation: "update",
          inForce: [{ name: "crawlers" }, { name: "hot fix" }],
          inForceFrom: "service",
          planned: [{ name: "crawlers" }, { name: "browsers" }],
          settings: [],
        },
      ],
    },
  });
});

it("reads a replacement as two environments", async () => {
  declare({ rules: [CRAWLERS], environment: staging, takeOver: true });
  expect(await planned()).toMatchObject({
    subject: {
      ruleSets: [
        { operation: "replace", environment: `Staging (${staging})` },
        {
          operation: "delete",
          environment: `Default (${main})`,
          planned: [],
        },
      ],
    },
  });
});

it("reads what stays as it is, and a deletion", async () => {
  declare({ rules: [CRAWLERS], takeOver: true });
  expect(await planned("--show-sames")).toMatchObject({
    subject: { ruleSets: [{ operation: "same" }] },
  });
  expect(await planned()).toMatchObject({ subject: { ruleSets: [] } });
  stack.declare([]);
  expect(await planned()).toMatchObject({
    subject: { ruleSets: [{ operation: "delete", planned: [] }] },
  });
});

it("says what made a preview fail", async () => {
  declare({ rules: [], takeOver: true });
  expect(await planned()).toEqual({
    absent: expect.stringContaining(
      "rules: is empty, which would allow every request",
    ) as string,
  });
});
