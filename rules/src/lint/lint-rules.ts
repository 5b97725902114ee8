import { tokensOf } from "../language/syntax/lexer";
import { canonicalText } from "../language/syntax/print-expression";
import type { Rule } from "../rule-set/rule";
import type { LintResult, Lint, Severity } from "./set/lint";
import { LintedSet, type LintOptions } from "./set/linted-set";
import { LINTS } from "./lints";

/** What a lint found in a rule set, and the rule where it is shown. */
export interface LintFinding extends LintResult {
  /** Code of the lint, as docs/lint.md lists them. */
  readonly code: string;
  readonly severity: Severity;
  /** Name of the rule. */
  readonly rule: string;
  /** Its place in the set, from 0. */
  readonly index: number;
}

/**
 * Finds rules that do not do what they seem to do. Every finding is proven; anything
 * else is left out. A check that fails costs its finding only: `check-failed` says so. Rules with a mistake in their expression are skipped, and disabled
 * rules are checked without the other rules.
 * @returns the findings in the order of the rules
 */
export function lintRules(
  rules: readonly Rule[],
  options?: LintOptions,
): LintFinding[] {
  return lintSet(new LintedSet(rules, options));
}

/** Lints a set whose expressions are checked already. */
export function lintSet(set: LintedSet): LintFinding[] {
  const findings: LintFinding[] = [];
  const unfinished: string[] = [];
  for (const lint of LINTS) {
    const said = new Set(
      findings
        .filter(({ code }) => lint.unless?.includes(code))
        .map(({ index }) => index),
    );
    const { code, severity } = lint;
    const nameOf = (at: number) => set.all[at]?.name ?? "";
    set.isOutOfTime = false;
    look(
      lint,
      set,
      said,
      (at, found) =>
        findings.push({
          code,
          severity,
          rule: nameOf(at),
          index: at,
          ...found,
          ...(losesComment(found, set.all[at]) && { edits: undefined }),
        }),
      (at, { message }) =>
        findings.push(failedCheck(code, nameOf(at), at, message)),
    );
    if (set.isOutOfTime) unfinished.push(code);
  }
  set.isOutOfTime = unfinished.length > 0;
  const [first] = set.all;
  if (set.isOutOfTime && first)
    findings.push({
      code: OUT_OF_TIME,
      severity: "note",
      rule: first.name,
      index: 0,
      message: `lint ended after ${set.time.limitMs / 1_000} s, so it did not look in every rule for ${unfinished.join(", ")}`,
      fix: "give it more time with --within, or split long expressions into rules of their own",
    });
  return findings.sort((a, b) => a.index - b.index);
}

/**
 * Identifies the findings of a set by their message and by the source text that they
 * are about: the rule's expression or a part of it, and the expressions of the other
 * rules. The position and the layout of that text do not matter.
 */
export function identities(set: LintedSet): (finding: LintFinding) => string {
  const linted = new Map(set.rules.map((rule) => [rule.rule.name, rule]));
  const textOf = (name: string) => {
    const root = linted.get(name)?.expression.root;
    return root && canonicalText(root);
  };
  return ({ code, rule, index, message, span, others = [] }) => {
    const about = span
      ? set.all[index]?.expression.slice(span.offset, span.offset + span.length)
      : textOf(rule);
    return JSON.stringify([code, rule, message, about, others.map(textOf)]);
  };
}

/** Code of the finding that says that lint ran out of time. */
export const OUT_OF_TIME = "out-of-time";

/** Whether a finding says only that lint did not check everything. */
export const isIncompleteLint = ({ code }: { readonly code: string }) =>
  code === OUT_OF_TIME || code === CHECK_FAILED;

/**
 * Calls `onFound` for each finding of one lint, with the place of its rule, and
 * `onFailed` where the lint fails. Rules that an earlier finding in `unless` covers
 * (`said`) are left out.
 */
function look(
  lint: Lint,
  set: LintedSet,
  said: ReadonlySet<number>,
  onFound: (at: number, found: LintResult) => void,
  onFailed: (at: number, error: CheckError) => void,
): void {
  /** What one check finds, unless the time is over. */
  const attempt = <Found>(
    at: number,
    find: () => Found,
    onResult: (found: Found) => void,
  ) => {
    if (set.isOver) return;
    let found: Found;
    try {
      found = find();
    } catch (error) {
      onFailed(at, new CheckError(String(error), { cause: error }));
      return;
    }
    onResult(found);
  };
  if (lint.of === "rule set") {
    attempt(
      0,
      () => lint.find(set),
      (found) => {
        for (const { at, ...result } of listed(found)) onFound(at, result);
      },
    );
    return;
  }
  for (const rule of lint.of === "rule" ? set.rules : set.enabled) {
    if (said.has(rule.index)) continue;
    attempt(
      rule.index,
      () => lint.find(rule, set),
      (found) => {
        for (const result of listed(found)) onFound(rule.index, result);
      },
    );
  }
}

/** Whether the edits of a finding leave out a comment in the expression. */
const losesComment = (
  { edits = [] }: LintResult,
  { expression = "" }: Partial<Rule> = {},
) =>
  edits.some((edit) => {
    if (edit.kind !== "replace") return false;
    const { offset, length, text } = edit;
    return tokensOf(expression).some(
      (token) =>
        token.kind === "comment" &&
        token.offset >= offset &&
        token.offset < offset + length &&
        !text.includes(token.text),
    );
  });

/** A check ended with an error, which is a mistake in the check. */
class CheckError extends Error {
  override readonly name = "CheckError";
}

/** Code of the finding that says that a check failed. */
export const CHECK_FAILED = "check-failed";

/** The finding in place of what a check would have found in a rule if it had not failed. */
export const failedCheck = (
  code: string,
  rule: string,
  index: number,
  reason: string,
): LintFinding => ({
  code: CHECK_FAILED,
  severity: "note",
  rule,
  index,
  message: `the check ${code} failed, so what it would find here is not reported (${reason})`,
  fix: "nothing in this rule: the mistake is in the check, and all other checks were made. Please report the rule and this message",
});

const listed = <Result extends LintResult>(
  found: Result | readonly Result[] = [],
): readonly Result[] => ("message" in found ? [found] : found);
