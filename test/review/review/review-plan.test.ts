import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
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

  it("may change less than the file, because some rules are already in force", () => {
    expect(
      differences([IOS, BY_HAND], [IOS, BY_HAND], { text: file(IOS, BY_HAND) }),
    ).toEqual([]);
  });

  it("may spell expressions differently", () => {
    const spelt = { ...IOS, expression: "( sdk.platform.is_ios )" };
    expect(differences([spelt])).toEqual([]);
  });
});

describe("differences between a plan and the file", () => {
  it.each<[string, Partial<PlanSubject>, string[]]>([
    [
      "the plan changes no rule set",
      { ruleSets: [] },
      [
        "The plan changes no filtering rule set, although shop/rules.yaml changes.",
      ],
    ],
    [
      "the plan has only another rule set",
      { ruleSets: [STAGING] },
      [
        "The plan changes no filtering rule set, although shop/rules.yaml changes.",
      ],
    ],
    [
      "the plan changes only another rule set",
      {
        ruleSets: [
          { ...STAGING, operation: "update", planned: [BY_HAND, IOS] },
        ],
      },
      [
        "No filtering rule set of the plan has the rules of shop/rules.yaml, which changes.",
        "The plan updates another rule set, staging of Staging (ae_2): 1 change: 1 added.",
      ],
    ],
    [
      "the rules are written in the program",
      reviewed({ planned: [BY_HAND] }),
      [
        "The planned rules of shop of Production (ae_1) are not those of shop/rules.yaml: without allow-partners, block-crawlers, block-curl, allow-our-shop, block-other-sites, block-old-curl; with by-hand.",
      ],
    ],
    [
      "the plan changes a rule in another way",
      reviewed({
        planned: PLANNED.map((each) =>
          each.name === "block-curl" ? { ...each, action: "allow" } : each,
        ),
      }),
      [
        "The planned rules of shop of Production (ae_1) are not those of shop/rules.yaml: block-curl otherwise.",
      ],
    ],
    [
      "the plan has the rules in another order",
      reviewed({ planned: [...PLANNED.slice(1), ...PLANNED.slice(0, 1)] }),
      [
        "The planned rules of shop of Production (ae_1) are not those of shop/rules.yaml: allow-partners at another place.",
      ],
    ],
    [
      "the planned rules are unknown",
      reviewed({ planned: { absent: "rules is known after the update" } }),
      [
        "The planned rules of shop of Production (ae_1) cannot be compared with shop/rules.yaml: rules is known after the update.",
      ],
    ],
    [
      "the file changes and the rule set does not",
      reviewed({ operation: "same", planned: BASE }),
      [
        "The rules of shop of Production (ae_1) stay in force, and are not those of shop/rules.yaml: without block-curl, block-old-curl; with allow-old-shop; allow-our-shop, allow-partners otherwise; allow-partners at another place.",
      ],
    ],
    [
      "the rule set is deleted",
      reviewed({ operation: "delete", planned: [] }),
      ["The plan deletes the rule set shop of Production (ae_1)."],
    ],
    [
      "the rule set is replaced",
      reviewed({ operation: "replace" }),
      [
        "The plan replaces the rule set shop of Production (ae_1): deletes it and creates it anew.",
      ],
    ],
    [
      "another rule set is deleted",
      {
        ruleSets: [REVIEWED, { ...STAGING, operation: "delete", planned: [] }],
      },
      [
        "The plan deletes another rule set, staging of Staging (ae_2): 1 change: 1 removed.",
      ],
    ],
    [
      "another rule set with unknown rules is updated",
      {
        ruleSets: [
          REVIEWED,
          { ...STAGING, operation: "update", planned: { absent: "secret" } },
        ],
      },
      [
        "The plan updates another rule set, staging of Staging (ae_2), whose changes are not known: secret.",
      ],
    ],
    [
      "another rule set is updated without a change of its rules",
      { ruleSets: [REVIEWED, { ...STAGING, operation: "update" }] },
      [],
    ],
    [
      "guards are loosened and tightened",
      {
        ruleSets: [
          {
            ...REVIEWED,
            settings: [
              {
                name: "maxDeletedPercent",
                before: "50",
                after: "100",
                isLoosened: true,
              },
              { name: "onDrift", before: '"overwrite"', isLoosened: false },
            ],
          },
          {
            ...STAGING,
            operation: "update",
            settings: [{ name: "takeOver", after: "true", isLoosened: true }],
          },
        ],
      },
      [
        "The plan loosens maxDeletedPercent of shop of Production (ae_1), from 50 to 100.",
        "The plan loosens takeOver of staging of Staging (ae_2), from not set to true.",
      ],
    ],
    [
      "a rule set is created with a loose guard",
      {
        ruleSets: [
          {
            ...REVIEWED,
            operation: "create",
            settings: [{ name: "takeOver", after: "true", isLoosened: true }],
          },
        ],
      },
      ["The plan creates shop of Production (ae_1) with takeOver: true."],
    ],
    [
      "environments are deleted",
      {
        others: [
          { operation: "delete", type: "Environment", name: "old" },
          { operation: "replace", type: "Environment", name: "shop" },
          { operation: "update", type: "Environment", name: "fine" },
          { operation: "delete", type: "aws:s3/bucket:Bucket", name: "b" },
        ],
      },
      [
        "The plan deletes the environment old, and its rules with it.",
        "The plan replaces the environment shop, and the rules of the old one go with it.",
      ],
    ],
  ])("are reported if %s", (_, plan, expected) => {
    const { plan: found, verdict } = reviewWith(plan);
    expect(found.differences).toEqual(expected);
    expect(
      verdict.reasons.filter(({ code }) => code === "plan-differs"),
    ).toHaveLength(expected.length > 0 ? 1 : 0);
  });

  it("name the rules in force that the base does not have", () => {
    const other = { ...IOS, expression: "sdk.platform.is_android" };
    const off = { ...IOS, status: "disabled" as const };
    expect(differences([IOS, BY_HAND])).toSay(
      "plan-differs/deletes-a-rule-not-in-the-base",
    );
    expect(differences([IOS, BY_HAND, allow("more", "true")])).toSay(
      "plan-differs/deletes-rules-not-in-the-base",
    );
    expect(differences([])).toSay("plan-differs/adds-a-rule-of-the-base");
    for (const inForce of [other, off])
      expect(differences([inForce])).toSay(
        "plan-differs/changes-a-rule-of-the-base",
      );
    const removed = {
      text: file(BY_HAND),
      base: { name: "main", rules: [IOS, BY_HAND] },
    };
    expect(differences([other, BY_HAND], [BY_HAND], removed)).toSay(
      "plan-differs/deletes-a-changed-rule",
    );
    const added = { text: file(IOS, BY_HAND) };
    const written = { ...BY_HAND, action: "allow" as const };
    expect(differences([IOS, written], [IOS, BY_HAND], added)).toSay(
      "plan-differs/changes-a-rule-not-in-the-base",
    );
    const both = {
      text: file(IOS, BY_HAND),
      base: { name: "main", rules: [IOS, BY_HAND] },
    };
    expect(differences([BY_HAND, IOS], [IOS, BY_HAND], both)).toSay(
      "plan-differs/moves-a-rule",
    );
  });

  it("count what the file does not change, whether it was merged before or in no commit at all", () => {
    const withBase = (
      inForce: readonly Rule[],
      proposed: readonly Rule[] = [IOS],
    ) =>
      differences(inForce, proposed, {
        text: file(...proposed),
        base: { name: "main", rules: [IOS] },
      });
    const merged = "plan-differs/adds-a-rule-of-the-base";
    expect(withBase([])).toSay(merged);
    expect(withBase([IOS, BY_HAND])).toSay(
      "plan-differs/deletes-a-rule-not-in-the-base",
    );
    // A merge that was not applied, and a hot fix that is now in the file.
    expect(withBase([BY_HAND], [IOS, BY_HAND])).toSay(merged);
  });

  it("do not count the position of a rule that the file takes over", () => {
    const taken = { text: file(BY_HAND, IOS) };
    expect(differences([IOS, BY_HAND], [BY_HAND, IOS], taken)).toEqual([]);
  });

  it("name each rule once: as planned differently or as in force differently", () => {
    expect(differences([IOS, BY_HAND], [IOS, BY_HAND])).toSay(
      "plan-differs/planned-with-another-rule",
    );
  });

  it("name a rule once that is both planned and in force differently", () => {
    const other = { ...IOS, expression: "sdk.platform.is_android" };
    expect(differences([other], [])).toSay(
      "plan-differs/planned-without-a-rule",
    );
  });

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
  afterEach(() => vi.restoreAllMocks());

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
