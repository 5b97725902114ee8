import type { Impact, Outcomes } from "../../../review/src/replay-subpath";
import type { PlannedRules, ReviewSubject } from "../../../review/src";
import type { Rule } from "../../../rules/src";
import { allow, rule } from "../../rules/diff/rule";
import { IMPACT, NOTHING, SAMPLED } from "./sample-impact";
import { REVIEWED, samplePlan, STAGING, TOUCHED } from "./sample-plan";

type Subject = Partial<ReviewSubject>;

const IOS = rule("ios", "sdk.platform.is_ios");
const MORE = rule("more", "sdk.platform.is_android");
const OPAQUE = rule("opaque", "http.request.asn == 1");
const WARNED = allow("never", "sdk.platform.is_ios && sdk.platform.is_android");

const file = (
  rules: readonly Rule[],
  ...tests: readonly object[]
): Subject => ({
  text: JSON.stringify({ rules, ...(tests.length > 0 && { tests }) }),
});
const base = (...rules: readonly Rule[]): Subject => ({
  base: { name: "main", rules },
});
const plan = (
  inForce: readonly Rule[],
  planned: PlannedRules["planned"],
): Subject => ({
  plan: samplePlan({ ruleSets: [{ ...REVIEWED, inForce, planned }] }),
});
const violation = (policy: string, isAdvisory: boolean) => ({
  ...{ policy, pack: "devid", isAdvisory, message: "" },
});
const policies = (...violations: ReturnType<typeof violation>[]): Subject => ({
  policies: { packs: ["devid 0.1.0"], violations },
});
const tests = (number: number, expect: "allow" | "deny") =>
  Array.from({ length: number }, (_, n) => ({
    ...{ name: `${expect} ${n}`, request: {}, expect },
  }));

const none = { value: 0 };

/** An impact on 1,000 events. Every event is unchanged unless `total` says otherwise. */
function impact(total: Partial<Outcomes>, rest: Partial<Impact> = {}): Subject {
  const unchanged = { value: 1_000 };
  const { newlyDenied = none, newlyAllowed = none } = total;
  return {
    impact: {
      ...{ ...IMPACT, events: 1_000, newlyDenied: NOTHING },
      total: {
        newlyDenied,
        newlyAllowed,
        unchanged,
        cannotTell: none,
        ...total,
      },
      possible: { newlyDenied, newlyAllowed },
      ...rest,
    },
  };
}
const sample = {
  sample: { confidence: 0.95, of: { value: 1_000, low: 900, high: 1_100 } },
};
const about = (value: number, high: number) => ({ value, low: 0, high });
const mayBe = (newlyDenied: number, newlyAllowed = 0) =>
  impact(
    { cannotTell: { value: newlyDenied } },
    {
      possible: {
        newlyDenied: { value: newlyDenied },
        newlyAllowed: { value: newlyAllowed },
      },
    },
  );
const rows = (outside: number, ...numbers: readonly number[]) => ({
  outside,
  unreadable: numbers.map((count) => ({
    ...{ rows: count, reason: "is no JSON", first: "a:2", advice: "" },
  })),
});

/** What can be so about a review of the sample; a word behind another replaces what they share. */
const WORDS: Readonly<Record<string, Subject | ((number: number) => Subject)>> =
  {
    // The file
    clean: { ...file([IOS]), ...base(IOS) },
    warned: file([IOS, WARNED]),
    never: file([IOS, allow("never", "false")]),
    mistaken: {
      ...file([{ ...IOS, expression: "?" }]),
      ...base({ ...IOS, expression: "?" }),
    },
    broken: { text: "rules: 1\n" },
    passing: (number) => file([IOS], ...tests(number, "allow")),
    failing: (number) =>
      file([IOS], ...tests(1, "allow"), ...tests(number, "deny")),
    hurried: { lint: { withinMs: -1 } },
    // The base
    "base-empty": base(),
    "base-more": base(IOS, MORE),
    "base-warned": base(IOS, WARNED),
    "base-warned-first": base(WARNED, IOS),
    "base-opaque": base({ ...OPAQUE, name: "ios" }),
    "base-missing": { base: { name: "main", isMissing: true, rules: [] } },
    "base-invalid": { base: { name: "main", absent: "not valid" } },
    "base-tests": (tests) => ({ base: { name: "main", rules: [IOS], tests } }),
    // The plan
    "plan-failed": { plan: { absent: "it failed" } },
    "plan-touches": { plan: TOUCHED },
    "plan-agrees": plan([IOS], [IOS]),
    "plan-adds": plan([], [IOS]),
    "plan-drops": plan([IOS, MORE], [IOS]),
    "plan-swaps": plan([MORE], [IOS]),
    "plan-opaque": plan([OPAQUE], [IOS]),
    "plan-unknown": plan([IOS], { absent: "secret" }),
    "plan-of-others": { plan: samplePlan({ ruleSets: [STAGING] }) },
    "policies-kept": policies(),
    "policies-none": { policies: { packs: [], violations: [] } },
    "policies-violated": policies(violation("a", true), violation("b", false)),
    // Past events
    "no-key": { impact: { absent: "no key" } },
    events: (events) => impact({}, { events }),
    "few-events": { impact: { ...IMPACT, events: 99 } },
    denied: (value) => impact({ newlyDenied: { value } }),
    "denied-of-99": (value) =>
      impact({ newlyDenied: { value } }, { events: 99 }),
    allowed: (value) => impact({ newlyAllowed: { value } }),
    "may-deny": (value) => mayBe(value),
    "may-allow": (value) => mayBe(1_000, value),
    undetermined: (value) => impact({ cannotTell: { value } }),
    unreadable: impact({}, { rows: rows(0, 1, 2) }),
    "unreadable-sample": { impact: { ...SAMPLED, rows: rows(0, 1, 2) } },
    outside: { impact: { ...IMPACT, rows: rows(9) } },
    sampled: { impact: SAMPLED },
    "small-sample": { impact: { ...SAMPLED, events: 10 } },
    "sample-of-50": impact({}, { ...sample, events: 50 }),
    "sample-denies": (high) =>
      impact({ newlyDenied: about(high > 1 ? 5 : 0, high) }, sample),
    "sample-rules-nothing-out": impact(
      {
        newlyDenied: about(0, 75),
        newlyAllowed: about(0, 75),
        cannotTell: about(0, 200),
      },
      sample,
    ),
    "--min-events": (minEvents) => ({ minEvents }),
    "--max-undetermined": (maxUndetermined) => ({ maxUndetermined }),
  };

/** A review with each of the words, such as `clean base-missing denied:11`. */
export function situation(words: string): Subject {
  const subjects = words.split(" ").map((each): Subject => {
    const [word = "", number] = each.split(":");
    const found = WORDS[word];
    if (found === undefined) throw new Error(`There is no word ${word}.`);
    return typeof found === "function" ? found(Number(number)) : found;
  });
  return Object.assign({}, ...subjects) as Subject;
}
