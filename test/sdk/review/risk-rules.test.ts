import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Impact, Outcomes } from "../../../sdk/src/rules/replay";
import {
  RISK_RULES,
  type Review,
  type ReviewSubject,
} from "../../../sdk/src/rules/review";
import { allow, rule } from "../rules-diff/rule";
import { IMPACT, NOTHING } from "./sample-impact";
import { sampleReview } from "./sample-review";

const IOS = rule("ios", "sdk.platform.is_ios");
const file = (...rules: object[]) => JSON.stringify({ rules });

/** An impact on 1,000 events, all unchanged but for these. */
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
    newlyDenied: NOTHING,
    ...rest,
  };
}

/** The review of a file that changes nothing, of which everything is fine. */
const review = (other: Partial<ReviewSubject> = {}): Review =>
  sampleReview({
    text: file(IOS),
    base: { name: "main", rules: [IOS] },
    impact: impact({}),
    ...other,
  });

const reasons = ({ verdict }: Review) =>
  verdict.reasons.map(({ code, text }) => `${code}: ${text}`);

const sample = {
  sample: { confidence: 0.95, of: { value: 1_000, low: 900, high: 1_100 } },
};
const about = (value: number, high: number) => ({ value, low: 0, high });

describe("the risk of a change", () => {
  it("is low where nothing speaks against it", () => {
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
      ["failing-tests: 2 tests failed"],
    ],
    [
      "more than 1% are denied",
      { impact: impact({ newlyDenied: { value: 11 } }) },
      "high",
      ["much-newly-denied: 1.1% of past events newly denied"],
    ],
    [
      "1% are denied",
      { impact: impact({ newlyDenied: { value: 10 } }) },
      "medium",
      ["newly-denied: 10 past events newly denied"],
    ],
    [
      "more than 1% may be denied, by a sample",
      { impact: impact({ newlyDenied: about(5, 10.5) }, sample) },
      "high",
      ["much-newly-denied: up to 1.1% of past events newly denied"],
    ],
    [
      "something may be denied, by a sample",
      { impact: impact({ newlyDenied: about(0, 0.4) }, sample) },
      "medium",
      ["newly-denied: up to 1 past event newly denied"],
    ],
    [
      "events are newly allowed",
      { impact: impact({ newlyAllowed: { value: 1 } }) },
      "medium",
      ["newly-allowed: 1 past event newly allowed"],
    ],
    [
      "10% cannot be told",
      { impact: impact({ cannotTell: { value: 100 } }) },
      "low",
      [],
    ],
    [
      "more than 10% cannot be told",
      { impact: impact({ cannotTell: { value: 101 } }) },
      "medium",
      ["much-untold: for 10.1% of past events it cannot be told"],
    ],
    [
      "something gets through",
      {
        base: {
          name: "main",
          rules: [IOS, rule("more", "sdk.platform.is_android")],
        },
      },
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
      "more is denied, and events were not looked at",
      { base: { name: "main", rules: [] }, impact: { absent: "no key" } },
      "medium",
      [
        "denies-unseen: more requests may be denied, and no past events tell how many",
      ],
    ],
    [
      "more is denied, and there are no events",
      { base: { name: "main", rules: [] }, impact: impact({}, { events: 0 }) },
      "medium",
      [
        "denies-unseen: more requests may be denied, and no past events tell how many",
      ],
    ],
    [
      "more is denied, but of no past event",
      { base: { name: "main", rules: [] } },
      "low",
      [],
    ],
    [
      "lint warns anew",
      { text: file(IOS, allow("never", "false")) },
      "medium",
      ["warnings: 1 new warning"],
    ],
    [
      "lint warns as it did before",
      {
        text: file(IOS, allow("never", "false")),
        base: { name: "main", rules: [allow("never", "false"), IOS] },
      },
      "low",
      [],
    ],
  ])("when %s", (_, other, risk, texts) => {
    const found = review(other);
    expect(reasons(found)).toEqual(texts);
    expect(found.verdict.risk).toBe(risk);
  });

  it("has a row for each of its rules on the page, word for word", () => {
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
