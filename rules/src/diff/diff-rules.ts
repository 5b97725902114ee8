import type { Rule } from "../rule-set/rule";
import { rulesDigest } from "../rule-set/rules-digest";
import { applyStep } from "./apply-changes";
import { CANNOT_TELL, readEnabled, stepEffect, totalEffect } from "./effects";
import { findSteps } from "./find-steps";
import type { RuleChange, RuleSetDiff } from "./rule-change";
import { RuleExpressions } from "./rule-expressions";

/** How long effects are looked for. */
export interface DiffOptions {
  /**
   * Milliseconds after which no further effect is looked for; a search that has
   * begun may take a second more. Default: 10,000.
   */
  readonly withinMs?: number;
}

const DEFAULT_WITHIN_MS = 10_000;

/**
 * What differs in meaning between two ordered rule sets. Rules are told apart by
 * their names, which are unique in each set. The spelling of an expression makes
 * no difference. An expression that does not parse is compared as text. An effect
 * is "cannot tell" where it depends on an expression with a mistake, and where
 * the time is over.
 */
export function diffRules(
  before: readonly Rule[],
  after: readonly Rule[],
  { withinMs = DEFAULT_WITHIN_MS }: DiffOptions = {},
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

/** Compares rule sets and remembers the results, so that two sets are compared once, whoever asks. */
export class RuleSetDiffs {
  readonly #known = new Map<string, RuleSetDiff>();

  /** The same as `diffRules`; the options count when the two sets are compared for the first time. */
  between(
    before: readonly Rule[],
    after: readonly Rule[],
    options?: DiffOptions,
  ): RuleSetDiff {
    const key = `${rulesDigest(before)} ${rulesDigest(after)}`;
    const diff = this.#known.get(key) ?? diffRules(before, after, options);
    this.#known.set(key, diff);
    return diff;
  }
}
