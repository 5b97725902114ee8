import {
  applyEdits,
  checkExpression,
  compileExpression,
  LINTS,
  lintRules,
  type LintFinding,
  type RuleRequest,
} from "@devid/rules";
import { describe, expect, it } from "vitest";
import type { ReportedMistake } from "./mistakes/reported-mistake";
import { LATER_MISTAKES, MISTAKES } from "./mistakes/reported-mistakes";
import { RIGHT_SETS } from "./right-sets";
import { rulesOf } from "./rules";

const known = new Map<ReportedMistake, readonly LintFinding[]>();

/** The finding for a mistake, cached because several tests read it. */
function findingsOf(mistake: ReportedMistake): readonly LintFinding[] {
  const found = known.get(mistake) ?? lintRules(rulesOf(...mistake.rules));
  known.set(mistake, found);
  return found;
}

const findingOf = (mistake: ReportedMistake) =>
  findingsOf(mistake).find(({ code }) => code === mistake.code);

/** Whether an expression is true for a request. */
function isMatch(source: string, request: RuleRequest): boolean {
  const checked = checkExpression(source);
  if (!checked.ok)
    throw new Error(`${source}: ${checked.problems[0]?.message}`);
  const result = compileExpression(checked.expression).evaluate(request);
  return "value" in result && result.value;
}

/** The expression of the rule that a finding is about, before and after the edits. */
function edited(
  { rules }: ReportedMistake,
  { index, edits = [] }: LintFinding,
): [before: string, after: string] {
  const before = rulesOf(...rules)[index]?.expression ?? "";
  return [
    before,
    applyEdits(
      before,
      edits.filter((edit) => edit.kind === "replace"),
    ),
  ];
}

/**
 * Mistakes that lint does not report: a report would be a false alarm for some teams,
 * or the mistake changes no decision.
 */
const MISSED = [
  "an empty user agent or undefined, in a list",
  "the guard after the condition that needs it",
  "the two halves of all addresses",
  "a port that may be a part of the name",
  "a whole user agent that is a beginning",
  "two tools at once",
  "Chrome on a telephone that calls it CriOS",
  "a language by its name",
  "the end of a range",
];

const ALL = [...MISTAKES, ...LATER_MISTAKES];

describe("the mistakes that teams report", () => {
  it.each([
    { when: "first", mistakes: MISTAKES, missed: [] },
    { when: "later", mistakes: LATER_MISTAKES, missed: MISSED },
  ])(
    "are found in at least 95 % of the cases: $when",
    ({ mistakes, missed }) => {
      const open = mistakes.filter((mistake) => !findingOf(mistake));
      expect(mistakes.length).toBeGreaterThanOrEqual(100);
      expect(open.length / mistakes.length).toBeLessThanOrEqual(0.05);
      // If a mistake is no longer found, the failure shows its name.
      expect(open.map(({ what }) => what).sort()).toEqual([...missed].sort());
    },
  );

  it("cover every lint, except those of files and limits", () => {
    const codes = new Set(ALL.map(({ code }) => code));
    expect(
      LINTS.map(({ code }) => code).filter((code) => !codes.has(code)),
    ).toEqual(["too-many-rules", "plain-regex"]);
  });

  it("come with a request that shows the finding", () => {
    for (const mistake of ALL) {
      const finding = findingOf(mistake);
      const said = / this rule (matches|does not match) it$/.exec(
        finding?.message ?? "",
      )?.[1];
      if (!finding || said === undefined) continue;
      const { request } = finding;
      if (!request) throw new Error(`${mistake.what} shows no request`);
      const [before, after] = edited(mistake, finding);
      const is = said === "matches";
      expect([before, isMatch(before, request)]).toEqual([before, is]);
      if (finding.edits)
        expect([after, isMatch(after, request)]).toEqual([after, !is]);
    }
  });

  it.each([
    [
      "the cause of what is always true",
      "or-of-exclusions",
      "deny sdk.version != '3.1' || sdk.version != '3.2'",
      "always-matches",
    ],
    [
      "backslashes in a scheme",
      "origin-scheme",
      String.raw`allow http.request.headers['Origin'][0] == 'https:\\\\shop.example'`,
      "signs-of-a-pattern",
    ],
  ])("include %s, which is reported once, as %s", (_, code, rule, other) => {
    const codes = lintRules(rulesOf(rule, "deny true")).map(
      (finding) => finding.code,
    );
    expect(codes).toContain(code);
    expect(codes).not.toContain(other);
  });

  it("an allow rule is no exception to a deny rule that matches requests without the allowed field", () => {
    const [finding] = lintRules(
      rulesOf("deny len(sdk.version) == 0", "allow sdk.platform.is_unknown"),
    );
    expect(finding).toMatchObject({
      code: "allow-changes-nothing",
      edits: [{ kind: "delete" }],
    });
  });

  it("no edit causes another warning about the same part", () => {
    const led = ALL.flatMap((mistake) => {
      const finding = findingOf(mistake);
      if (!finding?.edits?.every(({ kind }) => kind === "replace")) return [];
      const rules = rulesOf(...mistake.rules);
      const rule = rules[finding.index];
      if (!rule) return [];
      const [, expression] = edited(mistake, finding);
      const mended = rules.with(finding.index, { ...rule, expression });
      const [before, after] = [findingsOf(mistake), lintRules(mended)].map(
        (found) =>
          found
            .filter(({ severity }) => severity !== "note")
            .map(({ code }) => code),
      );
      const times = (codes: readonly string[] = [], code: string) =>
        codes.filter((one) => one === code).length;
      // Each text of a list has its own finding.
      return (after ?? [])
        .filter(
          (code) =>
            times(after, code) > times(before, code) ||
            (code === mistake.code &&
              times(after, code) === times(before, code)),
        )
        .map((code) => [mistake.what, expression, code]);
    });
    expect(led).toEqual([]);
  });
});

describe("nothing is reported about an unusual but right set", () => {
  it("of at least 40", () => {
    expect(RIGHT_SETS.length).toBeGreaterThanOrEqual(40);
  });

  it.each(RIGHT_SETS)("$what", ({ rules, notes = [] }) => {
    const found = lintRules(rulesOf(...rules));
    expect(
      found
        .filter(({ code }) => !notes.includes(code))
        .map(({ code, message }) => [code, message]),
    ).toEqual([]);
    for (const { severity } of found) expect(severity).toBe("note");
  });
});
