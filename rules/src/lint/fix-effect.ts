import { checkExpression } from "../language";
import { applyEdits, type TextEdit } from "../language/syntax/text-edit";
import {
  effectOf,
  stepEffect,
  type ReadRule,
  type RuleSetEffect,
} from "../diff/effects";
import type { LintFinding } from "./lint-rules";
import type { Rule } from "../rule-set/rule";
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
  const rule = set.at(index);
  if (!rule) throw new Error("A rule with a mistake has no fix of lint.");
  const [edit] = edits;
  if (edit?.kind === "delete" && OF_NO_EFFECT.includes(code)) return KEEPS;
  const before = set.all.flatMap((each, at): readonly ReadRule[] =>
    each.status === "enabled" || at === index
      ? [set.at(at) ?? { rule: each, expression: undefined }]
      : [],
  );
  const place = before.findIndex((one) => one.rule === rule.rule);
  const samples = [
    ...(request ? [request] : []),
    ...(rule.match.answer === "found" ? [rule.match.request] : []),
  ];
  const effect = (after: readonly ReadRule[], name = rule.rule.name) =>
    stepEffect(name, before, after, set.time, samples);
  const rest = before.toSpliced(place, 1);
  switch (edit?.kind) {
    case "delete":
      return effect(rest);
    case "move": {
      const to = rest.findIndex((one) => one.rule === set.all[edit.to]);
      return effect(rest.toSpliced(to < 0 ? rest.length : to, 0, rule));
    }
    case "add": {
      const added: Rule = { ...edit.rule, status: "enabled" };
      const { expression } = checkedEdit(added.expression, rule.rule);
      return effect([...before, { rule: added, expression }], added.name);
    }
    default: {
      const { expression } = checkedEdit(
        applyEdits(
          rule.rule.expression,
          edits.filter(({ kind }) => kind === "replace") as TextEdit[],
        ),
        rule.rule,
      );
      if (matchSame(rule.expression, expression, set)) return KEEPS;
      const edited = { ...rule.rule, expression: expression.source };
      return effect(before.with(place, { rule: edited, expression }));
    }
  }
}

function checkedEdit(source: string, { name }: Rule) {
  const checked = checkExpression(source);
  if (!checked.ok)
    throw new Error(
      `The fix of "${name}" is no expression: ${checked.problems[0]?.message}.`,
    );
  return checked;
}
