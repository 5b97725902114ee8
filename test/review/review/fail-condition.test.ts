import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Impact } from "../../../review/src/replay-subpath";
import {
  FAIL_CONDITIONS,
  needsAttention,
  parseFailCondition,
  type Review,
  type ReviewSubject,
} from "../../../review/src";
import type { Rule } from "../../../rules/src";
import { allow, rule } from "../../rules/diff/rule";
import { IMPACT, SAMPLED } from "./sample-impact";
import { REVIEWED, samplePlan, TOUCHED } from "./sample-plan";
import { sampleReview } from "./sample-review";

const PAGE = readFileSync(
  resolve(__dirname, "../../../docs/review.md"),
  "utf8",
);
const IOS = rule("ios", "sdk.platform.is_ios");
const WARNED = allow("never", "sdk.platform.is_ios && sdk.platform.is_android");
const MORE = rule("more", "sdk.platform.is_android");
const planOf = (inForce: readonly Rule[], planned: readonly Rule[]) =>
  samplePlan({ ruleSets: [{ ...REVIEWED, inForce, planned }] });
const file = (...rules: object[]) => JSON.stringify({ rules });

const judged = (text: string, other: Partial<ReviewSubject> = {}) => {
  const failOn = [parseFailCondition(text)];
  const [outcome] = sampleReview({ ...other, failOn }).conditions;
  return `${outcome?.outcome}: ${outcome?.found}`;
};

const UNREADABLE = {
  outside: 0,
  unreadable: [
    { rows: 1, reason: "has no time", first: "a:1", advice: "Store it." },
    { rows: 2, reason: "is no JSON", first: "a:2", advice: "Copy it." },
  ],
};

describe("a condition of --fail-on", () => {
  it.each([
    ["newly-denied>1%", "newly-denied>1%"],
    ["newly-denied > 0.50%", "newly-denied>0.5%"],
    ["cannot-tell>100", "cannot-tell>100"],
    ["lint:error", "lint:error"],
  ])("is read from %j as %s", (text, canonical) => {
    expect(parseFailCondition(text).text).toBe(canonical);
    expect(parseFailCondition(canonical)).toEqual(parseFailCondition(text));
  });

  it.each(FAIL_CONDITIONS)(
    "may be %s, which docs/review.md describes",
    (text) => {
      expect(() =>
        parseFailCondition(text.replace(/\bN\b/, "2.5")),
      ).not.toThrow();
      expect(PAGE).toMatch(new RegExp(`^\\|.*\`${text}\`.*\\|`, "m"));
    },
  );

  it.each([
    "",
    "newly-denied",
    "newly-denied>",
    "newly-denied>-1",
    "newly-denied>1e3",
    "newly-denied>=1",
    "toString>1",
    "lint",
    "lint:fatal",
    "risk:low",
    " tests",
  ])("cannot be %j; the error lists the choices", (text) => {
    expect(() => parseFailCondition(text)).toThrow(
      `"${text}" is no condition. There are newly-denied>N, newly-denied>N%, `,
    );
  });

  const nobody = {
    newlyDenied: { value: 0 },
    newlyAllowed: { value: 0 },
    unchanged: { value: 0 },
    cannotTell: { value: 0 },
  };
  const none: Impact = {
    ...IMPACT,
    events: 0,
    total: nobody,
    possible: nobody,
  };
  /** The impact of a rule about a header that no event has. */
  const UNDETERMINED: Impact = {
    ...IMPACT,
    events: 1_850,
    total: { ...nobody, cannotTell: { value: 1_850 } },
    possible: { ...nobody, newlyDenied: { value: 1_850 } },
  };
  const few = { ...IMPACT, events: 99 } as Impact;
  const missing = { name: "main", isMissing: true, rules: [] };
  const clean = {
    text: file(IOS),
    base: { name: "main", rules: [IOS] },
  };
  const lint = { ...clean, text: file(IOS, WARNED) };
  const hurried = {
    ...lint,
    text: file(IOS, allow("never", "false")),
    lint: { withinMs: -1 },
  };
  /** A file with this number of tests, and a base with its number of tests. */
  const tested = (number: number, before?: number) => ({
    ...clean,
    text: JSON.stringify({
      rules: [IOS],
      tests: Array.from({ length: number }, (_, at) => ({
        name: `test ${at}`,
        request: {},
        expect: "allow",
      })),
    }),
    base: {
      ...clean.base,
      ...(before !== undefined && { tests: before }),
    },
  });
  const opaque = {
    ...clean,
    base: { name: "main", rules: [rule("ios", "http.request.asn == 1")] },
  };
  const broken = { text: "rules: 1\n" };
  const unread = { base: { name: "main", absent: "not valid" } };

  it.each<[string, Partial<ReviewSubject>, string]>([
    ["newly-denied>3.4%", {}, "holds: 420 (3.4%)"],
    [
      "newly-denied>3.41%",
      {},
      "holds: 420 (3.4%), up to 434 (3.5%) with undetermined events",
    ],
    [
      "newly-denied>3.6%",
      {},
      "does not hold: 420 (3.4%), up to 434 (3.5%) with undetermined events",
    ],
    ["deletes>0", {}, "cannot be judged: no preview was given"],
    [
      "deletes>0",
      { plan: { absent: "it failed" } },
      "cannot be judged: it failed",
    ],
    ["deletes>0", { plan: TOUCHED }, "holds: ApiKey old, ApiKey shop"],
    ["deletes>2", { plan: TOUCHED }, "does not hold: ApiKey old, ApiKey shop"],
    ["deletes:ApiKey", { plan: TOUCHED }, "holds: ApiKey old, ApiKey shop"],
    ["deletes:Webhook", { plan: TOUCHED }, "does not hold: none"],
    ["replaces>0", { plan: TOUCHED }, "holds: ApiKey shop"],
    ["creates:Webhook", { plan: TOUCHED }, "does not hold: none"],
    ["changes:Webhook.url", { plan: TOUCHED }, "holds: Webhook hook"],
    ["changes:Webhook.description", { plan: TOUCHED }, "does not hold: none"],
    [
      "changes:FilteringRuleSet.protect",
      { plan: TOUCHED },
      "holds: FilteringRuleSet shop",
    ],
    ["policies", {}, "cannot be judged: no events of the preview were given"],
    [
      "policies",
      { policies: { packs: ["devid 0.1.0"], violations: [] } },
      "does not hold: 0 policy violations",
    ],
    [
      "policies",
      {
        policies: {
          packs: ["devid 0.1.0"],
          violations: [
            { policy: "a", pack: "devid", isAdvisory: true, message: "" },
            { policy: "b", pack: "devid", isAdvisory: false, message: "" },
          ],
        },
      },
      "holds: 1 policy violation",
    ],
    ["newly-denied>419", {}, "holds: 420 (3.4%)"],
    [
      "newly-denied>420",
      {},
      "holds: 420 (3.4%), up to 434 (3.5%) with undetermined events",
    ],
    [
      "newly-denied>434",
      {},
      "does not hold: 420 (3.4%), up to 434 (3.5%) with undetermined events",
    ],
    [
      "newly-denied>434",
      { maxUndetermined: 0.11 },
      "cannot be judged: 14 (0.1%) are undetermined, more than --max-undetermined 0.1%",
    ],
    ["newly-denied>419", { maxUndetermined: 0 }, "holds: 420 (3.4%)"],
    [
      "newly-denied>434",
      { maxUndetermined: 0.12 },
      "does not hold: 420 (3.4%), up to 434 (3.5%) with undetermined events",
    ],
    [
      "newly-denied>1%",
      { impact: UNDETERMINED },
      "cannot be judged: 1,850 (100%) are undetermined, more than --max-undetermined 5%",
    ],
    [
      "newly-denied>1%",
      { impact: UNDETERMINED, maxUndetermined: 100 },
      "holds: 0 (0%), up to 1,850 (100%) with undetermined events",
    ],
    ["newly-allowed>1%", { impact: UNDETERMINED }, "does not hold: 0 (0%)"],
    [
      "newly-allowed>1%",
      {
        impact: {
          ...UNDETERMINED,
          possible: { ...UNDETERMINED.possible, newlyAllowed: { value: 19 } },
        },
      },
      "holds: 0 (0%), up to 19 (1%) with undetermined events",
    ],
    [
      "newly-denied>155",
      { impact: SAMPLED },
      "holds: about 118 or 1% (80 to 156)",
    ],
    [
      "newly-denied>156",
      { impact: SAMPLED },
      "does not hold: about 118 or 1% (80 to 156)",
    ],
    [
      "newly-denied>1.2%",
      { impact: SAMPLED },
      "holds: about 118 or 1% (80 to 156)",
    ],
    [
      "newly-denied>1%",
      { impact: { absent: "no key" } },
      "cannot be judged: no key",
    ],
    [
      "newly-denied>50%",
      { impact: { ...IMPACT, rows: UNREADABLE } },
      "cannot be judged: 3 rows of the past events could not be read",
    ],
    [
      "cannot-tell>99%",
      { impact: { ...SAMPLED, rows: UNREADABLE } },
      "cannot be judged: 3 rows of the past events could not be read",
    ],
    [
      "newly-denied>1",
      { impact: { ...IMPACT, rows: { outside: 9, unreadable: [] } } },
      "holds: 420 (3.4%)",
    ],
    [
      "newly-denied>1%",
      { impact: none },
      "cannot be judged: 0 past events, fewer than --min-events 100",
    ],
    [
      "newly-denied>1%",
      { impact: none, minEvents: 0 },
      "does not hold: 0 (0%)",
    ],
    [
      "newly-allowed>5",
      { impact: few },
      "cannot be judged: 99 past events, fewer than --min-events 100",
    ],
    [
      "cannot-tell>99%",
      { impact: IMPACT, minEvents: 20_000 },
      "cannot be judged: 12,345 past events, fewer than --min-events 20,000",
    ],
    [
      "newly-denied>50%",
      { impact: { ...SAMPLED, events: 10 } },
      "does not hold: about 118 or 1% (80 to 156)",
    ],
    ["newly-allowed>0", {}, "does not hold: 0 (0%)"],
    [
      "newly-denied>0",
      { ...clean, impact: few },
      "does not hold: proven: nothing is newly denied",
    ],
    [
      "newly-denied>0%",
      { ...clean, impact: { absent: "no key" } },
      "does not hold: proven: nothing is newly denied",
    ],
    [
      "newly-allowed>0",
      { ...clean, impact: SAMPLED },
      "does not hold: proven: nothing is newly allowed",
    ],
    [
      "cannot-tell>0",
      { ...clean, impact: SAMPLED },
      "does not hold: proven: nothing is decided otherwise",
    ],
    [
      "cannot-tell>8",
      { base: { name: "main", rules: [] }, impact: SAMPLED },
      "holds: about 0 or 0% (0 to 9)",
    ],
    [
      "newly-denied>0",
      { ...clean, plan: planOf([], [IOS]) },
      "holds: 420 (3.4%)",
    ],
    [
      "newly-allowed>0",
      { ...clean, plan: planOf([IOS], [IOS]), impact: few },
      "does not hold: proven: nothing is newly allowed",
    ],
    [
      "newly-allowed>0",
      { base: missing },
      "cannot be judged: compared with no rules",
    ],
    [
      "newly-allowed>0",
      { ...clean, base: missing, plan: planOf([IOS], [IOS]) },
      "does not hold: proven: nothing is newly allowed",
    ],
    [
      "newly-denied>0",
      { ...clean, base: missing, plan: planOf([IOS], [IOS]) },
      "does not hold: proven: nothing is newly denied",
    ],
    [
      "cannot-tell>8",
      { ...clean, base: { name: "main", rules: [IOS, MORE] }, impact: SAMPLED },
      "holds: about 0 or 0% (0 to 9)",
    ],
    ["newly-denied>419", { base: missing }, "holds: 420 (3.4%)"],
    [
      "gets-through",
      { base: missing },
      "cannot be judged: compared with no rules",
    ],
    [
      "gets-through:cannot-tell",
      { base: missing, plan: { absent: "it failed" } },
      "cannot be judged: compared with no rules",
    ],
    [
      "gets-through:cannot-tell",
      { ...clean, base: missing, plan: planOf([IOS], [IOS]) },
      "does not hold: nothing gets through that did not before",
    ],
    [
      "gets-through",
      { ...clean, base: missing, plan: planOf([IOS, MORE], [IOS]) },
      "holds: requests get through that did not before",
    ],
    [
      "gets-through",
      { ...clean, plan: planOf([IOS, MORE], [IOS]) },
      "holds: requests get through that did not before",
    ],
    [
      "gets-through",
      { ...clean, ...unread, plan: planOf([IOS], [IOS]) },
      "does not hold: nothing gets through that did not before",
    ],
    ["plan-differs", clean, "cannot be judged: no preview was given"],
    [
      "plan-differs",
      { ...clean, plan: { absent: "the preview failed" } },
      "cannot be judged: the preview failed",
    ],
    [
      "plan-differs",
      { ...clean, plan: planOf([IOS], [IOS]) },
      "does not hold: the plan does what the file says",
    ],
    [
      "plan-differs",
      { ...clean, plan: planOf([IOS, MORE], [IOS]) },
      "holds: the plan does something else than the file says (1 difference)",
    ],
    ["cannot-tell>13", {}, "holds: 14 (0.1%)"],
    ["lint:note", lint, "holds: 0 notes, 1 warning, 0 errors"],
    ["lint:warning", lint, "holds: 1 warning, 0 errors"],
    ["lint:error", lint, "does not hold: 0 errors"],
    ["lint:warning", clean, "does not hold: 0 warnings, 0 errors"],
    ["lint:error", broken, "holds: 1 error"],
    ["tests", {}, "holds: 2 of 2 tests failed"],
    ["tests", clean, "cannot be judged: the file has no tests"],
    ["tests", tested(1), "does not hold: 1 test passed"],
    ["fewer-tests", tested(1, 2), "holds: 1 test, and 2 in the base"],
    ["fewer-tests", tested(0, 1), "holds: 0 tests, and 1 in the base"],
    ["fewer-tests", tested(2, 2), "does not hold: 2 tests, and 2 in the base"],
    [
      "fewer-tests",
      tested(1),
      "cannot be judged: the base is not a rule file, so it has no tests",
    ],
    [
      "fewer-tests",
      { ...tested(1), base: missing },
      "does not hold: the base has no such file",
    ],
    ["fewer-tests", broken, "cannot be judged: the rule file is not valid"],
    ["lint:error", hurried, "cannot be judged: lint did not check everything"],
    ["lint:note", hurried, "cannot be judged: lint did not check everything"],
    ["lint:error", { ...broken, lint: { withinMs: -1 } }, "holds: 1 error"],
    ["tests", broken, "cannot be judged: the rule file is not valid"],
    ["gets-through", {}, "holds: requests get through that did not before"],
    [
      "gets-through",
      clean,
      "does not hold: nothing gets through that did not before",
    ],
    [
      "gets-through",
      opaque,
      "does not hold: cannot rule out that requests get through that did not before",
    ],
    [
      "gets-through:cannot-tell",
      opaque,
      "holds: cannot rule out that requests get through that did not before",
    ],
    [
      "gets-through:cannot-tell",
      {},
      "holds: requests get through that did not before",
    ],
    [
      "gets-through:cannot-tell",
      clean,
      "does not hold: nothing gets through that did not before",
    ],
    ["gets-through", unread, "cannot be judged: not valid"],
    ["risk:high", {}, "holds: the risk is high"],
    ["risk:medium", {}, "holds: the risk is high"],
    [
      "risk:high",
      { ...lint, impact: none },
      "does not hold: the risk is medium",
    ],
    ["changes", {}, "holds: 6 changes: 1 removed, 2 edited, 1 moved, 2 added"],
    ["changes", clean, "does not hold: no differences"],
    ["changes", broken, "cannot be judged: the rule file is not valid"],
  ])("is judged: %s with the review %j", (text, other, expected) => {
    expect(judged(text, other)).toBe(expected);
  });
});

describe("needsAttention", () => {
  const subject = {
    text: file(IOS),
    base: { name: "main", rules: [IOS] },
    impact: { absent: "not asked for" },
  };
  const warned = {
    ...subject,
    text: file(IOS, WARNED),
    base: { name: "main", rules: [IOS, WARNED] },
  };
  const failing = {
    ...subject,
    text: JSON.stringify({
      rules: [IOS],
      tests: [{ name: "t", request: {}, expect: "deny" }],
    }),
  };
  const wrong = {
    ...subject,
    text: file({ ...IOS, expression: "?" }),
    base: { name: "main", rules: [{ ...IOS, expression: "?" }] },
  };

  it.each<[string, Partial<ReviewSubject>, boolean, boolean]>([
    ["no findings", subject, false, false],
    ["only a warning", warned, false, true],
    [
      "lint that ran out of time",
      { ...subject, lint: { withinMs: -1 } },
      false,
      true,
    ],
    ["a failing test", failing, true, true],
    ["only an error", wrong, true, true],
    [
      "an absent plan",
      { ...subject, plan: { absent: "it failed" } },
      true,
      true,
    ],
    [
      "a plan that does what the file says",
      { ...subject, plan: planOf([IOS], [IOS]) },
      false,
      false,
    ],
    [
      "a plan that does something else",
      { ...subject, plan: planOf([IOS, MORE], [IOS]) },
      true,
      true,
    ],
    ["a change", { ...subject, base: { name: "main", rules: [] } }, true, true],
    [
      "a base that is not valid",
      { ...subject, base: { name: "main", absent: "no" } },
      true,
      true,
    ],
  ])("is right for a review with %s", (_, other, expected, strictly) => {
    const review = sampleReview(other);
    expect(needsAttention(review)).toBe(expected);
    expect(needsAttention(review, true)).toBe(strictly);
  });

  it("depends on the conditions alone, if there are any", () => {
    const review = (...texts: string[]): Review =>
      sampleReview({ failOn: texts.map((text) => parseFailCondition(text)) });
    expect(needsAttention(review("newly-allowed>0", "lint:error"))).toBe(false);
    expect(needsAttention(review("newly-allowed>0"), true)).toBe(false);
    expect(needsAttention(review("lint:error", "tests"))).toBe(true);
    const unseen = sampleReview({
      impact: { absent: "no key" },
      failOn: [parseFailCondition("newly-denied>50%")],
    });
    expect(needsAttention(unseen)).toBe(true);
  });
});
