import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffRules, rulesDigest, type Rule } from "../../../rules/src";
import { reviewPlan } from "../../../review/src/review/review-plan";
import {
  isAbsent,
  type PlanSubject,
  type Review,
  type ReviewedPlan,
  type ReviewSubject,
} from "../../../review/src";
import { allow, rule } from "../../rules/diff/rule";
import { BY_HAND, PLANNED, REVIEWED, samplePlan, STAGING } from "./sample-plan";
import { BASE, sampleReview } from "./sample-review";
import { cellsOf } from "../../helpers/cells-of";
import { hurryProcessorTime } from "../../rules/processor-time";

const IOS = rule("ios", "sdk.platform.is_ios");
const file = (...rules: readonly Rule[]) => JSON.stringify({ rules });

const reviewWith = (
  plan: Partial<PlanSubject>,
  other: Partial<ReviewSubject> = {},
): Review & { plan: ReviewedPlan } => {
  const review = sampleReview({ plan: samplePlan(plan), ...other });
  const { plan: reviewed } = review;
  if (!reviewed || isAbsent(reviewed)) expect.fail("There is a plan.");
  return { ...review, plan: reviewed };
};

/** The changes of the rule set under review, in a plan with no other changes. */
const reviewed = (other: Partial<typeof REVIEWED>): Partial<PlanSubject> => ({
  ruleSets: [{ ...REVIEWED, ...other }],
});

/**
 * The differences if the file and main deny only `ios`, but other rules are in force
 * and planned.
 */
const differences = (
  inForce: readonly Rule[],
  planned: readonly Rule[] = [IOS],
  other: Partial<ReviewSubject> = {},
) =>
  reviewWith(reviewed({ inForce, planned }), {
    text: file(IOS),
    base: { name: "main", rules: [IOS] },
    ...other,
  }).plan.differences;

describe("a plan that agrees with the file", () => {
  const { plan, diff, verdict } = reviewWith({
    ruleSets: [REVIEWED, STAGING],
    others: [{ operation: "update", type: "Webhook", name: "hook" }],
  });

  it("has the changes of the file and no differences", () => {
    expect(plan.differences).toEqual([]);
    expect(plan.ruleSets.map((set) => set.diff)).toEqual([
      diff,
      { changes: [], effect: diffRules([], []).effect },
    ]);
    expect(verdict.reasons.map(({ code }) => code)).not.toContain(
      "plan-differs",
    );
  });

  it("leaves out the rules, and keeps everything else", () => {
    expect(plan).toMatchObject({
      name: "preview.json",
      stack: "shop/production",
      others: [{ operation: "update", type: "Webhook", name: "hook" }],
    });
    expect(plan.ruleSets[0]).not.toHaveProperty("inForce");
    expect(plan.ruleSets[0]).not.toHaveProperty("planned");
  });
});

/** The rule set under review, and another one that the plan changes. */
const withOther = (other: Partial<typeof STAGING>): Partial<PlanSubject> => ({
  ruleSets: [REVIEWED, { ...STAGING, ...other }],
});
const settings = (
  name: string,
  before: string | undefined,
  after: string,
): Partial<typeof REVIEWED> => ({
  settings: [
    { name, after, isLoosened: true, ...(before !== undefined && { before }) },
    { name: "onDrift", before: '"overwrite"', isLoosened: false },
  ],
});
const environment = (operation: "delete" | "replace" | "update") => ({
  others: [
    { operation, type: "Environment", name: "old" },
    { operation, type: "aws:s3/bucket:Bucket", name: "b" },
  ],
});

const PLANS: Readonly<Record<string, Partial<PlanSubject>>> = {
  "no rule set": { ruleSets: [] },
  "only another rule set": { ruleSets: [STAGING] },
  "only a change of another rule set": {
    ruleSets: [{ ...STAGING, operation: "update", planned: [BY_HAND, IOS] }],
  },
  "rules of the program": reviewed({ planned: [BY_HAND] }),
  "another action": reviewed({
    planned: PLANNED.map((each) =>
      each.name === "block-curl" ? { ...each, action: "allow" } : each,
    ),
  }),
  "another order": reviewed({
    planned: [...PLANNED.slice(1), ...PLANNED.slice(0, 1)],
  }),
  "unknown rules": reviewed({ planned: { absent: "rules is known later" } }),
  "no change": reviewed({ operation: "same", planned: BASE }),
  "a deletion": reviewed({ operation: "delete", planned: [] }),
  "a replacement": reviewed({ operation: "replace" }),
  "a deletion of another": withOther({ operation: "delete", planned: [] }),
  "unknown rules of another": withOther({
    ...{ operation: "update", planned: { absent: "secret" } },
  }),
  "no change of another's rules": withOther({ operation: "update" }),
  "a loosened guard": reviewed(settings("maxDeletedPercent", "50", "100")),
  "a loosened guard of another": withOther({
    ...{ operation: "update", ...settings("takeOver", undefined, "true") },
  }),
  "a loose guard from the start": reviewed({
    ...{ operation: "create", ...settings("takeOver", undefined, "true") },
  }),
  "a deleted environment": environment("delete"),
  "a replaced environment": environment("replace"),
  "an updated environment": environment("update"),
};

const DIFFERENCES = `
no rule set | The plan changes no filtering rule set, although shop/rules.yaml changes.
only another rule set | The plan changes no filtering rule set, although shop/rules.yaml changes.
only a change of another rule set | No filtering rule set of the plan has the rules of shop/rules.yaml, which changes. | The plan updates another rule set, staging of Staging (ae_2): 1 change: 1 added.
rules of the program | The planned rules of {shop} are not those of shop/rules.yaml: without allow-partners, block-crawlers, block-curl, allow-our-shop, block-other-sites, block-old-curl; with by-hand.
another action | The planned rules of {shop} are not those of shop/rules.yaml: block-curl otherwise.
another order | The planned rules of {shop} are not those of shop/rules.yaml: allow-partners at another place.
unknown rules | The planned rules of {shop} cannot be compared with shop/rules.yaml: rules is known later.
no change | The rules of {shop} stay in force, and are not those of shop/rules.yaml: without block-curl, block-old-curl; with allow-old-shop; allow-our-shop, allow-partners otherwise; allow-partners at another place.
a deletion | The plan deletes the rule set {shop}.
a replacement | The plan replaces the rule set {shop}: deletes it and creates it anew.
a deletion of another | The plan deletes another rule set, staging of Staging (ae_2): 1 change: 1 removed.
unknown rules of another | The plan updates another rule set, staging of Staging (ae_2), whose changes are not known: secret.
no change of another's rules
a loosened guard | The plan loosens maxDeletedPercent of {shop}, from 50 to 100.
a loosened guard of another | The plan loosens takeOver of staging of Staging (ae_2), from not set to true.
a loose guard from the start | The plan creates {shop} with takeOver: true.
a deleted environment | The plan deletes the environment old, and its rules with it.
a replaced environment | The plan replaces the environment old, and the rules of the old one go with it.
an updated environment
`.replaceAll("{shop}", "shop of Production (ae_1)");

describe("differences between a plan and the file", () => {
  it.each(cellsOf(DIFFERENCES))(
    "of a plan with %s",
    (what = "", ...expected) => {
      const { plan: found, verdict } = reviewWith(
        PLANS[what] ?? expect.fail(what),
      );
      expect(found.differences).toEqual(expected);
      expect(
        verdict.reasons.filter(({ code }) => code === "plan-differs"),
      ).toHaveLength(expected.length > 0 ? 1 : 0);
    },
  );

  const other = { ...IOS, expression: "sdk.platform.is_android" };
  const off = { ...IOS, status: "disabled" as const };
  const written = { ...BY_HAND, action: "allow" as const };
  const more = allow("more", "true");

  const both = [IOS, BY_HAND];
  const turned = [BY_HAND, IOS];

  /** The rules in force, planned, of the file and of the base; the last three deny `ios` alone. */
  it.each<[string, ...(readonly Rule[])[]]>([
    ["plan-differs/deletes-a-rule-not-in-the-base", both],
    ["plan-differs/deletes-rules-not-in-the-base", [IOS, BY_HAND, more]],
    ["plan-differs/adds-a-rule-of-the-base", []],
    ["plan-differs/changes-a-rule-of-the-base", [other]],
    ["plan-differs/changes-a-rule-of-the-base", [off]],
    // A merge that was not applied, and a hot fix that is now in the file.
    ["plan-differs/adds-a-rule-of-the-base", [BY_HAND], both, both],
    [
      "plan-differs/deletes-a-changed-rule",
      ...[[other, BY_HAND], [BY_HAND], [BY_HAND], both],
    ],
    [
      "plan-differs/changes-a-rule-not-in-the-base",
      ...[[IOS, written], both, both],
    ],
    ["plan-differs/moves-a-rule", ...[turned, both, both, both]],
    // Each rule is named once, although it is both planned and in force differently.
    ["plan-differs/planned-with-another-rule", both, both],
    ["plan-differs/planned-without-a-rule", [other], []],
    // The position of a rule that the file takes over does not count.
    ["", both, turned, turned],
    // Some rules may already be in force, and may be spelt differently.
    ["", both, both, both],
    ["", [{ ...IOS, expression: "( sdk.platform.is_ios )" }]],
  ])(
    "name the rules in force that the base does not have: %s",
    (sentence, inForce, planned = [IOS], proposed = [IOS], base = [IOS]) => {
      const found = differences(inForce, planned, {
        ...{ text: file(...proposed), base: { name: "main", rules: base } },
      });
      if (sentence === "") expect(found).toEqual([]);
      else expect(found).toSay(sentence);
    },
  );

  it("include the rules in force of an unchanged rule set", () => {
    const { plan } = reviewWith(
      reviewed({
        operation: "same",
        inForce: [IOS, BY_HAND],
        planned: [IOS],
      }),
      { text: file(IOS), base: { name: "main", rules: [IOS] } },
    );
    expect(plan.ruleSets[0]?.diff).toMatchObject({ changes: [] });
    expect(plan.differences).toSay("plan-differs/rules-that-stay");
  });

  it("of a rule set in an unknown environment leave the environment out", () => {
    const { environment, ...rest } = REVIEWED;
    expect(environment).toBeDefined();
    const plan = { ruleSets: [{ ...rest, inForce: [...BASE, BY_HAND] }] };
    expect(reviewWith(plan).plan.differences).toSay(
      "plan-differs/of-an-unknown-environment",
    );
  });

  it("do not count the base if it is missing or could not be read", () => {
    for (const base of [
      { name: "main", isMissing: true, rules: [] },
      { name: "main", absent: "main has an invalid file" },
    ])
      expect(differences([BY_HAND], [IOS], { base })).toEqual([]);
  });

  it("cannot be found for an invalid file, and say so", () => {
    expect(differences([IOS], [IOS], { text: "rules: 1\n" })).toSay(
      "plan-differs/invalid-file",
    );
  });

  it("do not exist if neither the file nor any rule set changes", () => {
    const plan = { ruleSets: [] };
    const unchanged = {
      text: file(IOS),
      base: { name: "main", rules: [IOS] },
    };
    expect(reviewWith(plan, unchanged).plan.differences).toEqual([]);
  });

  it("do not include other rule sets if the review is about one rule set, but the plan lists them", () => {
    const { plan } = reviewWith({
      onlyReviewed: true,
      ruleSets: [REVIEWED, { ...STAGING, operation: "delete", planned: [] }],
    });
    expect(plan.differences).toEqual([]);
    expect(plan.ruleSets).toHaveLength(2);
    expect(plan).not.toHaveProperty("onlyReviewed");
  });

  it("name a limited number of rules, each shortened", () => {
    const many = Array.from({ length: 400 }, (_, i) =>
      rule(`${i} ${"x".repeat(500)}`, "true"),
    );
    const [text = "", ...rest] = differences([IOS, ...many]);
    expect(rest).toEqual([]);
    expect(text).toMatch(/ and 390 more, which are in force /);
    expect(text.length).toBeLessThan(1_000);
  });
});

describe("for any rules,", () => {
  const ruleSet = fc.uniqueArray(
    fc
      .tuple(
        fc.constantFrom("a", "b", "c", "d"),
        fc.constantFrom("true", "1 == 2"),
      )
      .map(([name, expression]) => rule(name, expression)),
    { selector: ({ name }) => name, maxLength: 4 },
  );
  const path = "r.json";
  const differencesOf = (
    base: readonly Rule[],
    proposed: readonly Rule[],
    inForce: readonly Rule[],
    planned: readonly Rule[],
  ) => {
    const ruleSets = [{ ...REVIEWED, inForce, planned }];
    const main = { name: "main", rules: base };
    return reviewPlan(samplePlan({ ruleSets }), {
      path,
      rules: proposed,
      base: main,
      diff: diffRules(base, proposed, { withinMs: 0 }),
    }).differences;
  };
  const isSame = (a: readonly Rule[], b: readonly Rule[]) =>
    rulesDigest(a) === rulesDigest(b);

  it("there is no difference if the file's rules are planned and the base's rules are in force", () => {
    fc.assert(
      fc.property(ruleSet, ruleSet, (base, proposed) => {
        expect(differencesOf(base, proposed, base, proposed)).toEqual([]);
      }),
    );
  });

  it("there is a difference if other rules than the file's are planned", () => {
    fc.assert(
      fc.property(ruleSet, ruleSet, ruleSet, ruleSet, (a, b, c, d) => {
        fc.pre(!isSame(b, d));
        expect(differencesOf(a, b, c, d)).not.toEqual([]);
      }),
    );
  });

  it("every change to a rule in force that the base does not have is reported", () => {
    fc.assert(
      fc.property(ruleSet, ruleSet, ruleSet, (base, proposed, inForce) => {
        const said = differencesOf(base, proposed, inForce, proposed).join();
        for (const each of inForce) {
          const of = (rules: readonly Rule[]) =>
            rules.filter(({ name }) => name === each.name);
          const isStrange = !isSame(of(base), [each]);
          const isTouched = !isSame(of(proposed), [each]);
          if (isStrange && isTouched)
            expect(said).toMatch(
              new RegExp(`(deletes|changes) ([a-d], )*${each.name}\\b`),
            );
        }
      }),
    );
  });
});

describe("the effects of a plan", () => {
  it("include those of a creation that takes over rules", () => {
    const { plan, verdict } = reviewWith(
      reviewed({
        operation: "create",
        inForce: [IOS, BY_HAND],
        planned: [IOS],
      }),
      { text: file(IOS), base: { name: "main", rules: [IOS] } },
    );
    const [ruleSet] = plan.ruleSets;
    expect(ruleSet?.diff).toMatchObject({ changes: [{ kind: "removed" }] });
    expect(verdict.getsThrough.answer).toBe("found");
  });

  it("are searched for a limited time, together with the file's effects", () => {
    hurryProcessorTime(60_000);
    const { plan, diff } = reviewWith({
      ruleSets: [
        REVIEWED,
        { ...REVIEWED, inForce: [IOS] },
        { ...STAGING, operation: "update", planned: [IOS] },
      ],
    });
    const answers = [{ diff }, ...plan.ruleSets].map((each) =>
      isAbsent(each.diff)
        ? each.diff.absent
        : each.diff.effect.newlyAllowed.answer,
    );
    expect(new Set(answers)).toEqual(new Set(["cannot tell"]));
  });
});
