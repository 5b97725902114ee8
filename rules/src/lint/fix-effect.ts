import { checkExpression } from "../language";
import { applyEdits } from "../language/syntax/text-edit";
import {
  CANNOT_TELL,
  effectOf,
  stepEffect,
  type ReadRule,
  type RuleSetEffect,
} from "../diff/effects";
import type { LintFinding } from "./lint-rules";
import type { LintedSet } from "./set/linted-set";
import { matchSame } from "./set/match-same";

const KEEPS = effectOf({ answer: "none" }, { answer: "none" });

/**
 * What the edits of a finding do to the decisions of the whole rule set; of class
 * `none` if it is proven that every request is decided as before. A disabled rule is
 * looked at as if it were enabled, because its fix will matter when it is.
 */
export function fixEffect(
  { index, edits = [] }: LintFinding,
  set: LintedSet,
): RuleSetEffect {
  const rule = set.at(index);
  if (!rule) throw new Error("A rule with a mistake has no fix of lint.");
  const isDeleted = edits.some(({ kind }) => kind === "delete");
  const checked = checkExpression(
    applyEdits(
      rule.rule.expression,
      edits.filter((edit) => edit.kind === "replace"),
    ),
  );
  if (!checked.ok)
    throw new Error(
      `The fix of "${rule.rule.name}" is no expression: ${checked.problems[0]?.message}.`,
    );
  const { expression } = checked;
  const judge = (): RuleSetEffect => {
    if (!isDeleted && matchSame(rule.expression, expression, set)) return KEEPS;
    const before = enabledWith(index, set);
    const place = before.findIndex((one) => one.rule === rule.rule);
    const after = isDeleted
      ? before.toSpliced(place, 1)
      : before.with(place, {
          rule: { ...rule.rule, expression: expression.source },
          expression,
        });
    return stepEffect(rule.rule.name, before, after, set.budget);
  };
  return set.budget.attempt(judge) ?? CANNOT_TELL;
}

/** The enabled rules, and the one at a place. */
const enabledWith = (index: number, set: LintedSet): ReadRule[] =>
  set.all.flatMap((rule, at) =>
    rule.status === "enabled" || at === index
      ? [set.at(at) ?? { rule, expression: undefined }]
      : [],
  );
