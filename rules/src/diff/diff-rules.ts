import type { Rule } from "../rule-set/rule";
import { applyStep } from "./apply-changes";
import { CANNOT_TELL, readEnabled, stepEffect, totalEffect } from "./effects";
import { findSteps } from "./find-steps";
import type { RuleChange, RuleSetDiff } from "./rule-change";
import { RuleExpressions } from "./rule-expressions";

/**
 * What differs in meaning between two ordered rule sets, rules told by their
 * names, which are unique in each. The spelling of an expression makes no
 * difference; one that does not parse is compared as text, and what depends on
 * one that does not check cannot be told. Neither can effects that are not
 * looked for within `withinMs` milliseconds; a search that has begun may take a
 * second more.
 */
export function diffRules(
  before: readonly Rule[],
  after: readonly Rule[],
  { withinMs = Infinity }: { readonly withinMs?: number } = {},
): RuleSetDiff {
  const end = performance.now() + withinMs;
  const expressions = new RuleExpressions();
  const changes: RuleChange[] = [];
  const first = readEnabled(before, expressions);
  let rules = before;
  let enabled = first;
  for (const step of findSteps(before, after, expressions)) {
    rules = applyStep(rules, step);
    const next = readEnabled(rules, expressions);
    const effect =
      performance.now() < end
        ? stepEffect(step.rule.name, enabled, next)
        : CANNOT_TELL;
    changes.push({ ...step, effect });
    enabled = next;
  }
  const effects = changes.map(({ effect }) => effect);
  const effect =
    performance.now() < end
      ? totalEffect(first, enabled, effects)
      : CANNOT_TELL;
  return { changes, effect };
}
