import { describe, expect, it } from "vitest";
import { diffRules, parseRuleFile } from "../../../rules/src";
import { reviewRules } from "../../../review/src";
import { rule } from "../../rules/diff/rule";
import { IMPACT } from "./sample-impact";
import { BASE, RULES, sampleReview } from "./sample-review";
import { hurryProcessorTime } from "../../rules/processor-time";

describe("a review", () => {
  it("marks findings that the base already has, even if they moved", () => {
    const warned = "  - name: never\n    expression: false\n    action: deny\n";
    const findings = (base: string) =>
      sampleReview({
        text: `rules:\n  - name: ios\n    expression: sdk.platform.is_ios\n    action: deny\n${warned}`,
        base: { name: "main", rules: parseRuleFile(`rules:\n${base}`, "base") },
      }).findings.map(({ code, isKnown }) => ({ code, isKnown }));
    expect(findings(warned)).toEqual([
      { code: "never-matches", isKnown: true },
    ]);
    const other = warned.replace("never", "other");
    expect(findings(other)).toEqual([
      { code: "never-matches", isKnown: false },
    ]);
  });

  it("marks a finding about another text as new, but not one about a reformatted text", () => {
    const before: [string, string][] = [
      ["never", "sdk.platform.is_ios && !sdk.platform.is_ios"],
      ["first", "sdk.platform.is_android"],
      ["again", "sdk.platform.is_android"],
    ];
    const rules = (all: readonly (readonly [string, string])[]) =>
      all.map(([name, expression]) => rule(name, expression));
    const base = { name: "main", rules: rules(before) };
    const known = (changes: Record<string, string>) =>
      sampleReview({
        base,
        text: JSON.stringify({
          rules: rules(
            before.map(([name, was]) => [name, changes[name] ?? was] as const),
          ),
        }),
      }).findings.map(({ rule: name, isKnown }) => [name, isKnown]);
    const same = known({});
    expect(same.every(([, isKnown]) => isKnown)).toBe(true);
    const names = same.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(["never", "again"]));
    expect(
      known({ never: "sdk.platform.is_ios  and not sdk.platform.is_ios" }),
    ).toEqual(same);
    const changed = { never: "sdk.version == 'a' && sdk.version == 'b'" };
    expect(known(changed)).toEqual(
      same.map(([name]) => [name, name !== "never"]),
    );
    const both = "sdk.platform.is_ios";
    expect(known({ first: both, again: both })).toContainEqual([
      "again",
      false,
    ]);
  });
});

describe("the time of a review", () => {
  it("is limited: effects not found in time are unknown, and lint says where it stopped", () => {
    hurryProcessorTime(60_000);
    // Rules that no other test compares: what was compared before takes no time.
    const rules = BASE.map((rule) => ({
      ...rule,
      name: `${rule.name}-before`,
    }));
    const base = { name: "main", rules };
    const { diff, findings, verdict } = sampleReview({ base });
    const unknown = { answer: "cannot tell" };
    expect(diff).toMatchObject({
      effect: { newlyDenied: unknown, newlyAllowed: unknown },
    });
    expect(verdict.getsThrough).toEqual(unknown);
    expect(findings.map(({ code }) => code)).toContain("out-of-time");
  });

  it("is not spent again on two sets that were compared before", () => {
    const proposed = parseRuleFile(RULES, "rules.yaml");
    const known = diffRules(BASE, proposed);
    const review = reviewRules({
      path: "rules.yaml",
      text: RULES,
      base: { name: "main", rules: BASE },
      impact: IMPACT,
    });
    expect(review.diff).toBe(known);
  });
});
