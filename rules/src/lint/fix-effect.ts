import { checkExpression } from "../language";
import { applyEdits } from "../language/syntax/text-edit";
import {
  effectOf,
  stepEffect,
  type ReadRule,
  type RuleSetEffect,
} from "../diff/effects";
import type { LintFinding } from "./lint-rules";
import type { Rule } from "../rule-set/rule";
import { onceFor } from "../once-for";
import type { LintedSet } from "./set/linted-set";
import { matchSame } from "./set/prove";

/** Lints that have proven that no decision changes without the rule that they are about. */
const OF_NO_EFFECT: readonly string[] = [
  "never-matches",
  "unreachable",
  "changes-nothing",
];

const KEEPS = effectOf({ answer: "none" }, { answer: "none" });

/**
 * The effect of a finding's edits on the decisions of the whole rule set; its class is
 * `none` if it is proven that every decision stays the same. A disabled rule is treated
 * as enabled, because its fix will matter when it is enabled.
 */
export function fixEffect(
  { code, index, edits = [], request }: LintFinding,
  set: LintedSet,
): RuleSetEffect {
  const isDeleted = edits.some(({ kind }) => kind === "delete");
  if (isDeleted && OF_NO_EFFECT.includes(code)) return KEEPS;
  const rule = set.at(index);
  if (!rule) throw new Error("A rule with a mistake has no fix of lint.");
  const before = enabledWith(index, set);
  const place = before.findIndex((one) => one.rule === rule.rule);
  const rest = before.toSpliced(place, 1);
  const { match } = rule;
  const samples = [
    ...(request ? [request] : []),
    ...(match.answer === "found" ? [match.request] : []),
  ];
  const effect = (after: readonly ReadRule[], name = rule.rule.name) =>
    stepEffect(name, before, after, set.time, samples);
  for (const edit of edits)
    switch (edit.kind) {
      case "delete":
        return effect(rest);
      case "move": {
        const other = set.all[edit.to];
        const to = other ? rest.findIndex((one) => one.rule === other) : -1;
        return effect(rest.toSpliced(to < 0 ? rest.length : to, 0, rule));
      }
      case "add": {
        const added: Rule = { ...edit.rule, status: "enabled" };
        const { expression } = checkedEdit(added.expression, rule.rule);
        return effect([...before, { rule: added, expression }], added.name);
      }
      case "replace":
    }
  const { expression } = checkedEdit(
    applyEdits(
      rule.rule.expression,
      edits.filter((edit) => edit.kind === "replace"),
    ),
    rule.rule,
  );
  if (matchSame(rule.expression, expression, set)) return KEEPS;
  const edited = { ...rule.rule, expression: expression.source };
  return effect(before.with(place, { rule: edited, expression }));
}

function checkedEdit(source: string, { name }: Rule) {
  const checked = checkExpression(source);
  if (!checked.ok)
    throw new Error(
      `The fix of "${name}" is no expression: ${checked.problems[0]?.message}.`,
    );
  return checked;
}

/** The rules that are enabled once the rule at an index is. */
const enabledWith = (index: number, set: LintedSet): readonly ReadRule[] =>
  set.all[index]?.status === "enabled" ? enabledOf(set) : read(set, index);

const enabledOf = onceFor((set: LintedSet) => read(set));

const read = (set: LintedSet, asEnabled?: number): ReadRule[] =>
  set.all.flatMap((rule, at) =>
    rule.status === "enabled" || at === asEnabled
      ? [set.at(at) ?? { rule, expression: undefined }]
      : [],
  );
