import type { RuleRequest } from "../language";
import { editedExpression } from "../language/types/tree-edit";
import {
  effectOf,
  stepEffect,
  type ReadRule,
  type RuleSetEffect,
} from "../diff/effects";
import type { TreeFinding } from "./lint-rules";
import type { Rule } from "../rule-set/rule";
import type { RuleEdit } from "./set/lint";
import { withText } from "./set/comparison";
import { EMPTY, type LintedRule, type LintedSet } from "./set/linted-set";
import {
  expressionOf,
  keepsCondition,
  matchSame,
  ruleAfter,
} from "./set/prove";
import type { FoundRequest } from "../solver/find-request";
import { isBothBots } from "../language/request/bot-flags";

/** Lints that have proven that an edit of theirs of this kind changes no decision. */
const OF_NO_EFFECT: Readonly<Record<string, RuleEdit["kind"]>> = {
  ...{ "never-matches": "delete", unreachable: "delete" },
  ...{ "changes-nothing": "delete", repeated: "replace" },
};

const KEEPS = effectOf({ answer: "none" }, { answer: "none" });

/**
 * The effect of a finding's edits on the decisions of the whole rule set; its class is
 * `none` if it is proven that every decision stays the same. A disabled rule is treated
 * as enabled, because its fix will matter when it is enabled.
 */
export function fixEffect(
  { code, index, edits = [], request }: TreeFinding,
  set: LintedSet,
): RuleSetEffect {
  const rule = set.at(index);
  if (!rule) throw new Error("A rule with a mistake has no fix of lint.");
  const [edit] = edits;
  if (edit && OF_NO_EFFECT[code] === edit.kind) return KEEPS;
  const before = set.all.flatMap((each, at): readonly ReadRule[] =>
    each.status === "enabled" || at === index
      ? [set.at(at) ?? { rule: each, expression: undefined }]
      : [],
  );
  const place = before.findIndex((one) => one.rule === rule.rule);
  const samples = [
    ...(request ? [request] : []),
    ...(rule.match.request ? [rule.match.request] : []),
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
      const expression = expressionOf(added.expression);
      return effect([...before, { rule: added, expression }], added.name);
    }
    default: {
      const known = effectAtHand(edits, rule, samples, set);
      if (known) return known;
      const expression = editedExpression(
        rule.expression,
        edits.filter((each) => each.kind === "replace"),
      );
      if (!expression)
        throw new Error(`The fix of "${rule.rule.name}" is no expression.`);
      if (matchSame(rule.expression, expression, set)) return KEEPS;
      const edited = { ...rule.rule, expression: expression.source };
      return effect(before.with(place, { rule: edited, expression }));
    }
  }
}

/**
 * The effect of an edit, if the edited condition keeps its results, or if requests at hand
 * show all that it can be: some are denied that were not, and others get through. The
 * expression is not checked again for it, because that takes minutes for lists of
 * thousands of texts.
 */
function effectAtHand(
  edits: readonly RuleEdit[],
  rule: LintedRule,
  samples: readonly RuleRequest[],
  set: LintedSet,
): RuleSetEffect | undefined {
  const [edit, ...others] = edits;
  if (edit?.kind !== "replace" || others.length > 0) return undefined;
  const after = ruleAfter(rule, edit);
  if (!after || !set.after(rule) || set.isUnknownBefore(rule)) return undefined;
  const end = edit.offset + edit.length;
  const compared = rule.comparisons.find(
    (each) =>
      each.literal.span.offset >= edit.offset && each.literal.span.offset < end,
  );
  const requests = [
    ...samples,
    ...(compared
      ? [EMPTY, ...samples].flatMap((request) =>
          withText(request, compared, compared.text),
        )
      : []),
  ];
  /** A request that the rule matches only before, or only after the edit, and that other rules decide otherwise. */
  const shownBy = (isAfter: boolean): FoundRequest | undefined => {
    const request = requests.find(
      (each) =>
        !isBothBots(each) &&
        after(each) === isAfter &&
        rule.isMatch(each) !== isAfter &&
        set.isReached(rule, each) &&
        set.isDeniedBehind(rule, each) !== rule.isDeny,
    );
    return request && { answer: "found", request };
  };
  const [came, went] = [shownBy(true), shownBy(false)];
  if (!came && !went && keepsCondition(rule, edit, set)) return KEEPS;
  if (!came || !went) return undefined;
  return rule.isDeny ? effectOf(came, went) : effectOf(went, came);
}
