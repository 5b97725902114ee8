import { tokensOf } from "../language/syntax/lexer";
import { canonicalText } from "../language/syntax/print-expression";
import { onceFor } from "../once-for";
import type { Rule } from "../rule-set/rule";
import type { TextEdit } from "../language/syntax/text-edit";
import type { Lint, LintResult, RuleEdit, Severity } from "./set/lint";
import { LintedSet, type LintOptions } from "./set/linted-set";
import { LINTS } from "./lints";

/**
 * What a lint found in a rule set, and the rule where it is shown. It is plain data, which
 * `JSON.stringify` takes.
 */
export type LintFinding = Omit<TreeFinding, "edits"> & {
  readonly edits?: readonly (
    | Exclude<RuleEdit, { readonly kind: "replace" }>
    | (TextEdit & { readonly kind: "replace" })
  )[];
};

/** A finding whose edits have trees, from which their effect is read. Integers in trees are `bigint`. */
export interface TreeFinding extends LintResult {
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
  return lintSet(new LintedSet(rules, options)).map(
    ({ edits, ...finding }) => ({
      ...finding,
      ...(edits && { edits: edits.map(withoutTree) }),
    }),
  );
}

function withoutTree(edit: RuleEdit) {
  if (edit.kind !== "replace") return edit;
  const { kind, offset, length, text } = edit;
  return { kind, offset, length, text };
}

/**
 * Lints a set whose expressions are checked already.
 * @param names the rules that lints of single rules look at; default: all
 */
export function lintSet(
  set: LintedSet,
  names?: ReadonlySet<string>,
): TreeFinding[] {
  const findings: TreeFinding[] = [];
  const unfinished: string[] = [];
  for (const lint of LINTS) {
    const { code, severity, unless = [] } = lint;
    const said = new Set(
      findings
        .filter((finding) => unless.includes(finding.code))
        .map(({ index }) => index),
    );
    set.isOutOfTime = false;
    for (const { at, find } of looksOf(lint, set, names)) {
      if (said.has(at) || set.isOver) continue;
      const nameOf = (index: number) => set.all[index]?.name ?? "";
      try {
        for (const { at: index = at, ...found } of withoutTwins(find()))
          findings.push({
            ...{ code, rule: nameOf(index), index, ...found },
            severity: found.severity ?? severity,
            ...(losesComment(found, set.all[index]) && { edits: undefined }),
          });
      } catch (error) {
        findings.push(failedCheck(code, nameOf(at), at, String(error)));
      }
    }
    if (set.isOutOfTime) unfinished.push(code);
  }
  set.isOutOfTime = unfinished.length > 0;
  if (set.isOutOfTime && set.all.length > 0)
    findings.push(
      outOfTime(set, `look in every rule for ${unfinished.join(", ")}`),
    );
  return findings.sort((a, b) => a.index - b.index);
}

/** Findings without those that say of another place of a rule what is said already, and have no edit. */
function withoutTwins(found: ReturnType<Look["find"]>) {
  const findings = found.flat().filter((each) => each !== undefined);
  if (findings.length < 2) return findings;
  const said = new Set<string>();
  return findings.filter(({ message, fix, edits, at }) => {
    const words = JSON.stringify([message, fix, at]);
    const isNew = !said.has(words);
    said.add(words);
    return isNew || edits !== undefined;
  });
}

/** Default of `at`: the rule that was looked at. */
type Result = LintResult & { readonly at?: number };

/** One look at a rule, or at the whole set, which is shown at one of its rules. */
interface Look {
  readonly at: number;
  readonly find: () => readonly (Result | undefined | readonly Result[])[];
}

const looksOf = (
  lint: Lint,
  set: LintedSet,
  names: ReadonlySet<string> | undefined,
): readonly Look[] =>
  lint.of === "rule set"
    ? [{ at: 0, find: () => [lint.find(set)] }]
    : (lint.of === undefined ? set.rules : set.enabled)
        .filter(({ rule }) => names === undefined || names.has(rule.name))
        .map((rule) => ({
          at: rule.index,
          find: () => [lint.find(rule, set)].flat(),
        }));

/**
 * Identifies the findings of a set by their message and by the source text that they
 * are about: the rule's expression or a part of it, and the expressions of the other
 * rules. The position and the layout of that text do not matter.
 */
export function identities(set: LintedSet): (finding: TreeFinding) => string {
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

/** The finding, shown at the first rule, that lint ran out of time, and did not do something. */
export const outOfTime = (
  { all: [first], time }: LintedSet,
  left: string,
): TreeFinding => ({
  code: OUT_OF_TIME,
  severity: "note",
  rule: first?.name ?? "",
  index: 0,
  message: `lint ended after ${time.limitMs / 1_000} s, so it did not ${left}`,
  fix: "give it more time with --within, or split long expressions into rules of their own",
});

/** Whether a finding says only that lint did not check everything. */
export const isIncompleteLint = ({ code }: { readonly code: string }) =>
  code === OUT_OF_TIME || code === CHECK_FAILED;

/** Whether the edits of a finding leave out a comment in the expression. */
const losesComment = ({ edits = [] }: LintResult, rule: Rule | undefined) =>
  edits.some((edit) => {
    if (edit.kind !== "replace" || !rule) return false;
    const { offset, length, text } = edit;
    return commentsOf(rule).some(
      (comment) =>
        comment.offset >= offset &&
        comment.offset < offset + length &&
        !text.includes(comment.text),
    );
  });

const commentsOf = onceFor(({ expression }: Rule) =>
  tokensOf(expression).filter(({ kind }) => kind === "comment"),
);

/** Code of the finding that says that a check failed. */
export const CHECK_FAILED = "check-failed";

/** The finding in place of what a check would have found in a rule if it had not failed. */
export const failedCheck = (
  code: string,
  rule: string,
  index: number,
  reason: string,
): TreeFinding => ({
  code: CHECK_FAILED,
  severity: "note",
  rule,
  index,
  message: `the check ${code} failed, so what it would find here is not reported (${reason})`,
  fix: "nothing in this rule: the mistake is in the check, and all other checks were made. Please report the rule and this message",
});
