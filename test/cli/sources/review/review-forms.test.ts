import fc from "fast-check";
import { expect, it } from "vitest";
import { configuredClient } from "../../../../cli/src/sources/configured-client";
import { ProviderWorkspaces } from "../../../../cli/src/sources/review/provider-workspaces";
import { readPlan } from "../../../../cli/src/sources/review/read-plan";
import { isAbsent, reviewRules } from "../../../../review/src";
import { DYNAMIC_PREFIX } from "../../../../provider/src/definition/engine-names";
import { eachInBothForms } from "../../../helpers/program-form";
import {
  previewOutput,
  ruleSetArgs,
  UNKNOWN,
  type PreviewStep,
} from "./preview-output";

const SECRET = "[secret]";

const rule = fc.record({
  name: fc.constantFrom("a", "b", "c"),
  expression: fc.constantFrom(
    "true",
    "sdk.platform.is_ios",
    "http.user_agent.is_crawler_bot",
  ),
  action: fc.constantFrom("deny", "allow"),
});
const rules = fc.uniqueArray(rule, {
  maxLength: 3,
  selector: ({ name }) => name,
});
const args = fc
  .record({
    rules,
    environment: fc.constantFrom(undefined, "ae_1", "ae_2", UNKNOWN),
    maxDeletedPercent: fc.constantFrom(50, 100, SECRET, UNKNOWN),
    takeOver: fc.constantFrom(undefined, true, false),
    expectedInForce: fc.constantFrom(undefined, "x", SECRET),
  })
  .map(({ rules, ...more }) => ruleSetArgs(rules, more));
/** The rules of a program, which may be secret or unknown. */
const declared = fc.oneof(
  { arbitrary: args, weight: 3 },
  fc
    .record({ args, rules: fc.constantFrom(SECRET, UNKNOWN) })
    .map(({ args: more, rules: hidden }) => ({ ...more, rules: hidden })),
);

/** The engine's operations on a resource, and the states that a preview shows for each. */
const operation = fc.constantFrom(
  { op: "create", before: false, after: true },
  { op: "update", before: true, after: true },
  { op: "same", before: true, after: true },
  { op: "replace", before: true, after: true },
  { op: "delete", before: true, after: false },
);

const step = fc
  .record({
    kind: fc.constantFrom("FilteringRuleSet", "FilteringRuleSet", "Webhook"),
    operation,
    id: fc.constantFrom("ae_1", "ae_2"),
    before: args,
    after: declared,
  })
  .map(({ kind, operation: { op, ...shown }, id, before, after }) => ({
    op,
    type: DYNAMIC_PREFIX + kind,
    ...(shown.before && { id, before }),
    ...(shown.after && { after }),
  }));

const program = fc
  .array(step, { maxLength: 4 })
  .map((steps) =>
    steps.map((one, index): PreviewStep => ({ ...one, name: `n${index}` })),
  );

const FILE = JSON.stringify({
  rules: [{ name: "a", expression: "true", action: "deny" }],
});

/** The review of a file with a preview, without a service. */
async function reviewed(text: string, resource: string | undefined) {
  const plan = await readPlan({
    text,
    path: "preview.json",
    workspaces: new ProviderWorkspaces(configuredClient({}), false),
    ...(resource !== undefined && { resource: [resource] }),
  });
  return reviewRules({
    path: "rules.json",
    text: FILE,
    purpose: "change",
    scope: {},
    base: { name: "main", rules: [] },
    impact: { absent: "not asked for" },
    minEvents: 1,
    plan: "absent" in plan ? plan : plan.subject,
  });
}

it("the review of a plan is the same for both forms of a program, and shows every rule set", async () => {
  await fc.assert(
    fc.asyncProperty(program, async (steps) => {
      const sets = steps.filter(({ type }) => type?.endsWith("RuleSet"));
      const review = await eachInBothForms(previewOutput(...steps), (text) =>
        reviewed(text, sets[0]?.name),
      );
      const { plan } = review;
      if (!plan || isAbsent(plan)) return expect.fail(JSON.stringify(plan));
      expect([...new Set(plan.ruleSets.map(({ name }) => name))]).toEqual(
        sets.map(({ name }) => name),
      );
      if (sets[0]?.op === "delete")
        expect(plan.differences).toContain(
          `The plan deletes the rule set ${sets[0].name} of ${sets[0].id}.`,
        );
    }),
    { numRuns: 60 },
  );
});
