import type { Rule } from "../rule-set/rule";
import { longestIncreasing } from "./list-edits";
import { STEP_ORDER, type RuleStep } from "./rule-change";
import { RuleExpressions } from "./rule-expressions";

/** A rule that both sets have, and its places in them, from 0. */
interface CommonRule {
  readonly old: Rule;
  readonly rule: Rule;
  readonly from: number;
  readonly to: number;
}

/**
 * The steps from one rule set to another, in the order of `STEP_ORDER`, with the fewest
 * moves: the result of `diffRules` without effects, which take time.
 */
export function findSteps(
  before: readonly Rule[],
  after: readonly Rule[],
  expressions = new RuleExpressions(),
): RuleStep[] {
  const places = new Map(before.map(({ name }, place) => [name, place]));
  const common = after.flatMap((rule, to): CommonRule[] => {
    const from = places.get(rule.name) ?? -1;
    const old = before[from];
    return old ? [{ old, rule, from, to }] : [];
  });
  const kept = new Set(common.map(({ rule }) => rule.name));
  const stayed = new Set(longestIncreasing(common.map(({ from }) => from)));

  const steps: RuleStep[] = [
    ...before
      .filter(({ name }) => !kept.has(name))
      .map((rule) => ({ kind: "removed", rule }) as const),
    ...common.flatMap((rule, i) =>
      stayed.has(i)
        ? stepsOf(rule, expressions)
        : stepsOf(rule, expressions, common[i - 1]?.rule.name ?? ""),
    ),
    ...after.flatMap((rule, to): RuleStep[] => {
      const follows = after[to - 1]?.name ?? "";
      return kept.has(rule.name)
        ? []
        : [{ kind: "added", rule, position: to + 1, after: follows }];
    }),
  ];
  return steps.sort(
    (a, b) => STEP_ORDER.indexOf(a.kind) - STEP_ORDER.indexOf(b.kind),
  );
}

/** What happens to a rule that stays; `movedAfter` is there when it moves. */
function stepsOf(
  { old, rule, to }: CommonRule,
  expressions: RuleExpressions,
  movedAfter?: string,
): RuleStep[] {
  const steps: RuleStep[] = [];
  const position = to + 1;
  const isSwitched = old.status !== rule.status;
  let current = old;
  if (isSwitched && rule.status !== "enabled") {
    current = { ...current, status: rule.status };
    steps.push({ kind: "disabled", rule: current, position });
  }
  const parts = editedParts(old, rule, expressions);
  if (parts) {
    current = { ...rule, status: current.status };
    steps.push({ kind: "edited", rule: current, position, ...parts });
  }
  if (movedAfter !== undefined)
    steps.push({ kind: "moved", rule: current, position, after: movedAfter });
  if (isSwitched && rule.status === "enabled")
    steps.push({
      kind: "enabled",
      rule: { ...current, status: rule.status },
      position,
    });
  return steps;
}

/** What an edit changed, apart from the status; undefined if it changed nothing. */
function editedParts(old: Rule, rule: Rule, expressions: RuleExpressions) {
  const edits = expressions.edits(old.expression, rule.expression);
  const expression = edits.length > 0 && {
    before: old.expression,
    after: rule.expression,
    edits,
  };
  const action = old.action !== rule.action && {
    before: old.action,
    after: rule.action,
  };
  const [was, is] = [denyWithOf(old), denyWithOf(rule)];
  const denyWith = was && is && was !== is && { before: was, after: is };
  if (!expression && !action && !denyWith) return undefined;
  return {
    ...(expression && { expression }),
    ...(action && { action }),
    ...(denyWith && { denyWith }),
  };
}

/** The `denyWith` of a rule, with its default; undefined for an allow rule. */
function denyWithOf({ action, denyWith = "Forbidden" }: Rule) {
  return action === "deny" ? denyWith : undefined;
}
