import { Budget } from "../budget";
import type { Rule } from "../rule-set/rule";
import { rulesDigest } from "../rule-set/rules-digest";
import { applyStep } from "./apply-changes";
import { CANNOT_TELL, RuleReader, stepEffect, totalEffect } from "./effects";
import { findSteps } from "./find-steps";
import type { RuleChange, RuleSetDiff } from "./rule-change";
import { RuleExpressions } from "./rule-expressions";

/** Limits of the search for effects. */
export interface DiffOptions {
  /**
   * Milliseconds of processor time after which the search for effects ends. Default:
   * 10,000.
   */
  readonly withinMs?: number;
  /** The budget of the caller. If given, the comparison has no time limit of its own. */
  readonly budget?: Budget;
}

const DEFAULT_WITHIN_MS = 10_000;

/**
 * What differs in meaning between two ordered rule sets. Rules are identified by their
 * names, which are unique in each set. The spelling of an expression makes no
 * difference. An expression that does not parse is compared as text. An effect is
 * "cannot tell" if it depends on an expression with a mistake, or if the time is over.
 */
export function diffRules(
  before: readonly Rule[],
  after: readonly Rule[],
  {
    withinMs = DEFAULT_WITHIN_MS,
    budget = new Budget(withinMs),
  }: DiffOptions = {},
): RuleSetDiff {
  return compare(before, after, budget).diff;
}

/** Most time that is kept for the effect of all steps, in milliseconds. */
const TOTAL_MS = 1_000;

/** @returns the differences, and whether the time was too short to look for every effect */
function compare(
  before: readonly Rule[],
  after: readonly Rule[],
  budget: Budget,
): { diff: RuleSetDiff; isCut: boolean } {
  const reader = new RuleReader(new RuleExpressions(budget));
  const steps = findSteps(before, after, reader.expressions);
  const first = budget.attempt(() => reader.enabled(before));
  // The effect of all steps together matters most, so the single steps may not take all
  // the time.
  const { leftMs } = budget;
  const part = budget.part(leftMs - Math.min(TOTAL_MS, leftMs / 2));
  const changes: RuleChange[] = [];
  let rules = before;
  let enabled = first;
  for (const step of steps) {
    const effect =
      enabled &&
      part.attempt(() => {
        part.spend(rules.length);
        rules = applyStep(rules, step);
        const next = reader.enabled(rules);
        const found = stepEffect(step.rule.name, enabled ?? [], next, part);
        enabled = next;
        return found;
      });
    // After a step that was left out, the rules before the next step are not known.
    if (!effect) enabled = undefined;
    changes.push({ ...step, effect: effect ?? CANNOT_TELL });
  }
  const effects = changes.map(({ effect }) => effect);
  const effect =
    first &&
    budget.attempt(() =>
      totalEffect(first, reader.enabled(after), effects, budget),
    );
  return {
    diff: { changes, effect: effect ?? CANNOT_TELL },
    isCut: part.isSpent || budget.isSpent,
  };
}

/** Compares rule sets and keeps the results, so that two sets are compared only once. */
export class RuleSetDiffs {
  readonly #known = new Map<
    string,
    { readonly diff: RuleSetDiff; readonly goodForMs: number }
  >();

  /**
   * The same as `diffRules`. Effects that an earlier comparison had no time for are
   * looked for again if this caller has more time.
   */
  between(
    before: readonly Rule[],
    after: readonly Rule[],
    {
      withinMs = DEFAULT_WITHIN_MS,
      budget = new Budget(withinMs),
    }: DiffOptions = {},
  ): RuleSetDiff {
    const key = `${rulesDigest(before)} ${rulesDigest(after)}`;
    const { leftMs } = budget;
    const known = this.#known.get(key);
    if (known && leftMs <= known.goodForMs) return known.diff;
    const { diff, isCut } = compare(before, after, budget);
    this.#known.set(key, { diff, goodForMs: isCut ? leftMs : Infinity });
    return diff;
  }
}
