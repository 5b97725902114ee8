import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Impact, Outcomes } from "../../../review/src/replay-subpath";
import {
  RISK_RULES,
  type Review,
  type ReviewSubject,
} from "../../../review/src";
import type { Rule } from "../../../rules/src";
import { allow, rule } from "../../rules/diff/rule";
import { IMPACT, NOTHING } from "./sample-impact";
import { REVIEWED, samplePlan } from "./sample-plan";
import { sampleReview } from "./sample-review";

const IOS = rule("ios", "sdk.platform.is_ios");
const MORE = rule("more", "sdk.platform.is_android");
const file = (...rules: object[]) => JSON.stringify({ rules });

/** An impact on 1,000 events. Every event is unchanged unless `total` says otherwise. */
function impact(total: Partial<Outcomes>, rest: Partial<Impact> = {}): Impact {
  const none = { value: 0 };
  return {
    ...IMPACT,
    events: 1_000,
    total: {
      newlyDenied: none,
      newlyAllowed: none,
      unchanged: { value: 1_000 },
      cannotTell: none,
      ...total,
    },
    possible: {
      newlyDenied: total.newlyDenied ?? none,
      newlyAllowed: total.newlyAllowed ?? none,
    },
    newlyDenied: NOTHING,
    ...rest,
  };
}

/** An impact with this number of undetermined events that may be denied. */
const mayBeDenied = (value: number) =>
  impact(
    { cannotTell: { value } },
    { possible: { newlyDenied: { value }, newlyAllowed: { value: 0 } } },
  );

/** The review of a file without changes and without problems. */
const review = (other: Partial<ReviewSubject> = {}): Review =>
  sampleReview({
    text: file(IOS),
    base: { name: "main", rules: [IOS] },
    impact: impact({}),
    ...other,
  });

const planOf = (inForce: readonly Rule[], planned: readonly Rule[]) =>
  samplePlan({ ruleSets: [{ ...REVIEWED, inForce, planned }] });

const reasons = ({ verdict }: Review) =>
  verdict.reasons.map(({ code, text }) => `${code}: ${text}`);

const sample = {
  sample: { confidence: 0.95, of: { value: 1_000, low: 900, high: 1_100 } },
};
/** A change that denies more requests. */
const denying = { base: { name: "main", rules: [] } };
const about = (value: number, high: number) => ({ value, low: 0, high });

describe("the risk of a change", () => {
  it("is low if no rule applies", () => {
    expect(review().verdict).toEqual({
      risk: "low",
      reasons: [],
      getsThrough: { answer: "none" },
    });
  });

  it.each<[string, Partial<ReviewSubject>, string, string[]]>([
    [
      "the file is not valid",
      { text: "rules: 1\n" },
      "high",
      ["not-compared: the rules cannot be compared", "errors: 1 error"],
    ],
    [
      "the base is not valid",
      { base: { name: "main", absent: "no" } },
      "high",
      ["not-compared: the rules cannot be compared"],
    ],
    [
      "tests fail",
      {
        text: JSON.stringify({
          rules: [IOS],
          tests: [
            { name: "a", request: { sdkPlatform: "ios" }, expect: "allow" },
            { name: "b", request: {}, expect: "deny" },
            { name: "c", request: {}, expect: "allow" },
          ],
        }),
      },
      "high",
      ["failing-tests: 2 of 3 tests failed"],
    ],
    [
      "the base has more tests",
      { base: { name: "main", rules: [IOS], tests: 3 } },
      "medium",
      ["fewer-tests: 0 tests, and 3 in the base"],
    ],
    [
      "more than 1% are denied",
      { ...denying, impact: impact({ newlyDenied: { value: 11 } }) },
      "high",
      ["much-newly-denied: 1.1% of past events newly denied"],
    ],
    [
      "1% are denied",
      { ...denying, impact: impact({ newlyDenied: { value: 10 } }) },
      "medium",
      ["newly-denied: 10 past events newly denied"],
    ],
    [
      "more than 1% may be denied, by a sample",
      { ...denying, impact: impact({ newlyDenied: about(5, 10.5) }, sample) },
      "high",
      ["much-newly-denied: up to 1.1% of past events newly denied"],
    ],
    [
      "something may be denied, by a sample",
      { ...denying, impact: impact({ newlyDenied: about(0, 0.4) }, sample) },
      "medium",
      ["newly-denied: up to 1 past event newly denied"],
    ],
    [
      "events are newly allowed",
      {
        base: { name: "main", rules: [IOS, MORE] },
        impact: impact({ newlyAllowed: { value: 1 } }),
      },
      "medium",
      [
        "gets-through: requests get through that did not before",
        "newly-allowed: 1 past event newly allowed",
      ],
    ],
    [
      "5% are undetermined",
      { ...denying, impact: impact({ cannotTell: { value: 50 } }) },
      "low",
      [],
    ],
    [
      "more than 5% are undetermined",
      { ...denying, impact: impact({ cannotTell: { value: 51 } }) },
      "medium",
      ["much-undetermined: 5.1% of past events are undetermined"],
    ],
    [
      "more than --max-undetermined are undetermined",
      {
        ...denying,
        maxUndetermined: 0,
        impact: impact({ cannotTell: { value: 1 } }),
      },
      "medium",
      ["much-undetermined: 0.1% of past events are undetermined"],
    ],
    [
      "more than 1% may be denied, which are undetermined",
      { ...denying, impact: mayBeDenied(11) },
      "high",
      ["much-newly-denied: up to 1.1% of past events newly denied"],
    ],
    [
      "all may be denied, which are undetermined",
      { ...denying, impact: mayBeDenied(1_000) },
      "high",
      [
        "much-newly-denied: up to 100% of past events newly denied",
        "much-undetermined: 100% of past events are undetermined",
      ],
    ],
    [
      "a few may be denied, which are undetermined",
      { ...denying, impact: mayBeDenied(2) },
      "medium",
      ["newly-denied: up to 2 past events newly denied"],
    ],
    [
      "something gets through",
      { base: { name: "main", rules: [IOS, MORE] } },
      "medium",
      ["gets-through: requests get through that did not before"],
    ],
    [
      "something may get through",
      {
        base: {
          name: "main",
          rules: [rule("ios", "sdk.platform.is_ios && http.request.asn == 1")],
        },
      },
      "medium",
      [
        "gets-through: cannot rule out that requests get through that did not before",
      ],
    ],
    [
      "more is denied, and no events were looked at",
      { base: { name: "main", rules: [] }, impact: { absent: "no key" } },
      "medium",
      [
        "denies-unseen: more requests may be denied, and there are no past events to count them",
      ],
    ],
    [
      "more is denied, and there are no events",
      { base: { name: "main", rules: [] }, impact: impact({}, { events: 0 }) },
      "medium",
      [
        "denies-unseen: more requests may be denied, and there are no past events to count them",
      ],
    ],
    [
      "more is denied, and there are few events",
      {
        ...denying,
        impact: impact({ newlyDenied: { value: 1 } }, { events: 99 }),
      },
      "high",
      [
        "much-newly-denied: 1% of past events newly denied",
        "denies-unseen: more requests may be denied, and there are too few past events to count them (99, fewer than 100)",
      ],
    ],
    [
      "more is denied, and some events could not be read",
      {
        ...denying,
        impact: impact(
          {},
          {
            rows: {
              outside: 0,
              unreadable: [
                { rows: 2, reason: "is no JSON", first: "a:2", advice: "" },
              ],
            },
          },
        ),
      },
      "medium",
      [
        "denies-unseen: more requests may be denied, and 2 rows of the past events could not be read",
      ],
    ],
    [
      "more is denied, and there are few events, but none is needed",
      { ...denying, impact: impact({}, { events: 1 }), minEvents: 0 },
      "low",
      [],
    ],
    [
      "more is denied, and the sample is small, but not the range",
      { ...denying, impact: impact({}, { ...sample, events: 50 }) },
      "low",
      [],
    ],
    [
      "only the plan denies more, and there are no events",
      {
        plan: planOf([], [IOS]),
        impact: impact({}, { events: 0 }),
        base: { name: "main", rules: [IOS] },
      },
      "high",
      [
        "plan-differs: the plan does something else than the file says (1 difference)",
        "denies-unseen: more requests may be denied, and there are no past events to count them",
      ],
    ],
    [
      "a sample cannot rule out something that the file does not do",
      {
        impact: impact(
          {
            newlyDenied: about(0, 75),
            newlyAllowed: about(0, 75),
            cannotTell: about(0, 200),
          },
          sample,
        ),
      },
      "low",
      [],
    ],
    [
      "a sample cannot rule out what the plan may do",
      {
        plan: planOf([MORE], [IOS]),
        impact: impact({ newlyDenied: about(0, 75) }, sample),
      },
      "high",
      [
        "plan-differs: the plan does something else than the file says (2 differences)",
        "much-newly-denied: up to 7.5% of past events newly denied",
        "gets-through: requests get through that did not before",
      ],
    ],
    [
      "the plan does what the file says",
      { plan: planOf([IOS], [IOS]) },
      "low",
      [],
    ],
    [
      "the plan is absent",
      { plan: { absent: "the preview failed" } },
      "high",
      ["not-planned: what the deployment does is not known"],
    ],
    [
      "there is no base to compare with",
      { base: { name: "main", isMissing: true, rules: [] } },
      "medium",
      [
        "gets-through: cannot rule out that requests get through that did not before",
      ],
    ],
    [
      "there is no base to compare with, but the plan shows the rules in force",
      {
        base: { name: "main", isMissing: true, rules: [] },
        plan: planOf([IOS], [IOS]),
      },
      "low",
      [],
    ],
    [
      "more is denied, but no past event",
      { base: { name: "main", rules: [] } },
      "low",
      [],
    ],
    [
      "lint has a new warning",
      {
        text: file(
          IOS,
          allow("never", "sdk.platform.is_ios && sdk.platform.is_android"),
        ),
      },
      "medium",
      ["warnings: 1 new warning"],
    ],
    [
      "lint has only warnings that the base has, too",
      {
        text: file(
          IOS,
          allow("never", "sdk.platform.is_ios && sdk.platform.is_android"),
        ),
        base: {
          name: "main",
          rules: [
            allow("never", "sdk.platform.is_ios && sdk.platform.is_android"),
            IOS,
          ],
        },
      },
      "low",
      [],
    ],
  ])("is right when %s", (_, other, risk, texts) => {
    const found = review(other);
    expect(reasons(found)).toEqual(texts);
    expect(found.verdict.risk).toBe(risk);
  });

  it("has a row for each of its rules in docs/review.md, word for word", () => {
    const page = readFileSync(
      resolve(__dirname, "../../../docs/review.md"),
      "utf8",
    );
    const rows = [
      ...page.matchAll(/^\| `([a-z-]+)` +\| (high|medium) +\| (.+?) +\|$/gm),
    ];
    expect(rows.map(([, code, risk, doc]) => ({ code, risk, doc }))).toEqual(
      RISK_RULES.map(({ code, risk, doc }) => ({ code, risk, doc })),
    );
  });
});
