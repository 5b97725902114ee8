import { expect, it } from "vitest";
import { fitExpectedInForce } from "../../../cli/src/ci/fit-expected-in-force";

// gitops.e2e.test.ts applies a fitted plan with an engine.

const URN = "urn:pulumi:prod::shop::devid:FilteringRuleSet::rules";
const NEW = `sha256:${"1".repeat(64)}`;
const OLD = `sha256:${"0".repeat(64)}`;

const planWith = (inputDiff: object) =>
  JSON.stringify({
    resourcePlans: { [URN]: { goal: { inputDiff }, steps: ["update"] } },
  });
const stateWith = (expectedInForce?: string) =>
  JSON.stringify({
    deployment: { resources: [{ urn: URN, inputs: { expectedInForce } }] },
  });
const fitted = (inputDiff: object, last?: string) =>
  JSON.parse(
    fitExpectedInForce(planWith(inputDiff), stateWith(last), { [URN]: NEW }),
  ) as { resourcePlans: Record<string, { goal: { inputDiff: object } }> };

const rules = { "block-office": {} };

it.each([
  [
    "the state has none",
    undefined,
    { adds: { expectedInForce: NEW }, updates: { rules } },
  ],
  [
    "the state has another",
    OLD,
    { adds: {}, updates: { rules, expectedInForce: NEW } },
  ],
  ["the state has the same", NEW, { adds: {}, updates: { rules } }],
])(
  "a plan adds or changes the digest as the state needs it: %s",
  (_, last, expected) => {
    for (const planned of [
      { updates: { rules } },
      { adds: { expectedInForce: NEW }, updates: { rules } },
      { updates: { rules, expectedInForce: NEW } },
    ])
      expect(fitted(planned, last).resourcePlans[URN]).toEqual({
        goal: { inputDiff: expected },
        steps: ["update"],
      });
  },
);

it("a plan without a digest of the program stays as it is", () => {
  const plan = planWith({ updates: { rules } });
  expect(JSON.parse(fitExpectedInForce(plan, stateWith(), {}))).toEqual(
    JSON.parse(plan),
  );
});

it("a plan or a state that cannot be read is refused, without what it holds", () => {
  expect(() => fitExpectedInForce("secret", "{}", {})).toSay(
    "ci/reviewed-plan-unreadable",
  );
  expect(() => fitExpectedInForce(planWith({}), "secret", {})).toSay(
    "ci/state-unreadable",
  );
});
