import {
  applyEdits,
  lintRules,
  type LintFinding,
  type Rule,
  type RuleRequest,
} from "@devid/rules";
import { lintSet, LintedSet } from "@devid/rules/internals";
import fc from "fast-check";
import { expect, it } from "vitest";
import { withBotFlags } from "../../../rules/src/language/request/bot-flags";
import { checked, resultFor } from "../language/checked";
import { requests, rules as someRules } from "./small-world";

/** The results of an expression, one for each request: a value or a failure. */
function valuesOf(
  source: string,
  ofRequests: readonly RuleRequest[] = requests,
): (boolean | "fails")[] {
  const expression = checked(source);
  return ofRequests.map((request) => resultFor(expression, request));
}

/**
 * The decision of a rule set about every request: by the first rule that is true, else
 * allow.
 */
function results(rules: readonly Rule[]): string[] {
  const enabled = rules
    .filter(({ status }) => status === "enabled")
    .map(({ action, expression }) => ({ action, is: valuesOf(expression) }));
  return requests.map(
    (_, i) => enabled.find(({ is }) => is[i] === true)?.action ?? "allow",
  );
}

/** A finding with the expression of its rule and the whole rule set. */
interface Case extends LintFinding {
  readonly rules: readonly Rule[];
  readonly expression: string;
}

function isSuperfluous({ rules, index }: Case): void {
  const others = rules.filter((_, i) => i !== index);
  expect(results(others)).toEqual(results(rules));
}

/** The expression with the found part replaced by another text. */
function replaced({ expression, span }: Case, text: string): string {
  const { offset, length } = span ?? { offset: 0, length: expression.length };
  return expression.slice(0, offset) + text + expression.slice(offset + length);
}

/** Expects that the end of the message is true for the shown request. */
function isAsShown({ message, request, expression }: Case): void {
  const said =
    / this rule (matches|does not match) (?:it|the request shown)$/.exec(
      message,
    )?.[1];
  if (said === undefined || !request) return;
  const [is] = valuesOf(expression, [withBotFlags(request)]);
  expect([expression, request, is === true]).toEqual([
    expression,
    request,
    said === "matches",
  ]);
}

/** The claim of each lint. A lint without a row claims only what its request shows. */
const CLAIMS: Record<string, (found: Case) => void> = {
  // What is known of bots is no proof for every request.
  unreachable: (found) => (found.request ? isAsShown : isSuperfluous)(found),

  "changes-nothing": isSuperfluous,
  "never-matches": ({ expression }) =>
    expect(valuesOf(expression)).not.toContain(true),
  "always-matches": ({ expression }) =>
    expect(new Set(valuesOf(expression))).toEqual(new Set([true])),
  "deny-all": ({ rules }) => expect(results(rules)).not.toContain("allow"),
  repeated: ({ expression, edits = [] }) => {
    const replaced = edits.filter((edit) => edit.kind === "replace");
    // A rule that fails does not match.
    const [before, after] = [expression, applyEdits(expression, replaced)].map(
      (source) => valuesOf(source).map((value) => value === true),
    );
    expect(after).toEqual(before);
  },
  "plain-regex": (found) =>
    expect(valuesOf(replaced(found, found.fix.replace("write ", "")))).toEqual(
      valuesOf(found.expression),
    ),
  "may-fail": ({ expression, severity, request, fix }) => {
    if (!request) throw new Error("there is no example");
    expect(valuesOf(expression, [request])).toEqual(["fails"]);
    const [, fixed] =
      /^to change no decision, .*; if it should .*?, write (.*)$/.exec(fix) ??
      [];
    if (fixed === undefined) return;
    if (severity === "warning")
      expect(valuesOf(fixed, [request])).toEqual([true]);
    const before = valuesOf(expression);
    const after = valuesOf(fixed);
    expect(after).not.toContain("fails");
    for (const [i, value] of before.entries())
      if (value !== "fails") expect(after[i]).toBe(value);
      else if (severity === "note") expect(after[i]).toBe(false);
  },
};

it("every finding about a small rule set is true for every request", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(someRules, (rules) => {
      for (const finding of lintRules(rules)) {
        const { code, index } = finding;
        const expression = rules[index]?.expression ?? "";
        (CLAIMS[code] ?? isAsShown)({ ...finding, rules, expression });
        seen.add(code);
      }
    }),
    { numRuns: 125 },
  );
  for (const code of Object.keys(CLAIMS)) expect([...seen]).toContain(code);
});

it("a look at some rules of a set finds there what a look at all finds", () => {
  let found = 0;
  fc.assert(
    fc.property(someRules, fc.array(fc.nat({ max: 4 })), (rules, places) => {
      const names = new Set(places.flatMap((at) => rules[at]?.name ?? []));
      const ofSome = (findings: readonly LintFinding[]) =>
        findings.filter(({ rule }) => names.has(rule));
      const some = lintSet(new LintedSet(rules), names);
      const all = lintSet(new LintedSet(rules));
      expect(ofSome(some)).toEqual(ofSome(all));
      // Findings about a whole set are shown at any rule.
      const others = some.filter(({ rule }) => !names.has(rule));
      expect(all).toEqual(expect.arrayContaining(others));
      expect(others.map(({ code }) => code)).not.toContain("unreachable");
      found += ofSome(some).length;
    }),
    { numRuns: 60 },
  );
  expect(found).toBeGreaterThan(20);
});
