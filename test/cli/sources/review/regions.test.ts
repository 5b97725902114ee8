import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createClient } from "@devid/sdk";
import { LiveRules } from "../../../../cli/src/sources/live-rules";
import { reviewPlan } from "../../../../cli/src/sources/review/review-plan";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";

// A real preview of a program with a rule set in region us, by the default provider,
// and one in eu, by a provider of its own, in both forms.

const workspace = openForTests(new LocalWorkspace());

const liveOf = (region: "us" | "eu") =>
  new LiveRules(
    createClient({
      region,
      endpoint: workspace.url,
      managementKey: workspace.service.workspaces[region].managementKey,
    }),
  );

/** The preview, with the environment of eu as the local service has it. */
const preview = (form: string, { isNew = false } = {}) => {
  const text = readFileSync(
    join(__dirname, `../recorded/touched-${form}.json`),
    "utf8",
  );
  const shown = JSON.parse(text) as {
    steps: { urn: string; op: string; oldState?: unknown }[];
  };
  for (const step of shown.steps)
    if (isNew && step.urn.endsWith("::rules-eu")) {
      step.op = "create";
      delete step.oldState;
    }
  return JSON.stringify(shown);
};

const setsOf = async (
  form: string,
  isNew: boolean,
  liveIn: () => Promise<LiveRules | undefined>,
) => {
  const plan = await reviewPlan({
    text: preview(form, { isNew }),
    path: "preview.json",
    resource: "rules",
    live: liveOf("us"),
    region: "us",
    liveIn,
  });
  if ("absent" in plan) return expect.unreachable(plan.absent);
  return plan.subject.ruleSets;
};

const byHand = (name: string) => ({
  name,
  expression: "sdk.platform.is_ios",
  action: "deny",
});

it.each(["dynamic", "plugin"])(
  "a rule set is compared with the rules in force in the region of its provider: %s",
  async (form) => {
    const { us } = workspace.service.workspaces;
    await workspace.call("POST", "/filtering-rules/bulk", {
      environment: us.environment,
      mode: "overwrite",
      rules: [byHand("of-us")],
    });
    const sets = await setsOf(form, true, () => Promise.resolve(liveOf("eu")));
    const eu = sets.find(({ name }) => name === "rules-eu");
    expect(eu?.environment).toMatch(/^Default \(ae_\w+\) in region eu$/);
    expect(eu).toMatchObject({ inForce: [], inForceFrom: "service" });
  },
);

it.each(["dynamic", "plugin"])(
  "cannot be judged without a key of the region, where no state has its rules: %s",
  async (form) => {
    const without = () => Promise.resolve(undefined);
    const [created] = (await setsOf(form, true, without)).filter(
      ({ name }) => name === "rules-eu",
    );
    expect(created?.planned).toEqual({
      absent: expect.stringContaining("DEVID_MANAGEMENT_KEY_EU") as string,
    });
    const [updated] = (await setsOf(form, false, without)).filter(
      ({ name }) => name === "rules-eu",
    );
    expect(updated).toMatchObject({
      inForceFrom: "state",
      inForce: [{ name: "e" }],
      planned: [{ name: "e" }, { name: "f" }],
    });
  },
);
