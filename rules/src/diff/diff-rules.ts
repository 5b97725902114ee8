import { TimeLimit } from "../time-limit";
import type { Rule } from "../rule-set/rule";
import { rulesDigest } from "../rule-set/rules-digest";
import { applyStep } from "./apply-changes";
import { CANNOT_TELL, stepEffect, totalEffect } from "./effects";
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
  /** The time limit of the caller. If given, the comparison has none of its own. */
  readonly time?: TimeLimit;
}

const DEFAULT_WITHIN_MS = 10_000;

/** Pairs of rule sets whose differences are kept: a review, its plan and its replay compare the same few. */
const MOST_KNOWN = 20;
const known = new Map<string, RuleSetDiff>();

/**
 * What differs in meaning between two ordered rule sets. Rules are identified by their
 * names, which are unique in each set. The spelling of an expression makes no
 * difference. An expression that does not parse is compared as text. An effect is
 * "cannot tell" if it depends on an expression with a mistake, or if the time is over.
 * Two sets for which the time was enough are compared only once.
 */
export function diffRules(
  before: readonly Rule[],
  after: readonly Rule[],
  {
    withinMs = DEFAULT_WITHIN_MS,
    time = new TimeLimit(withinMs),
  }: DiffOptions = {},
): RuleSetDiff {
  const key = `${rulesDigest(before)} ${rulesDigest(after)}`;
  const found = known.get(key);
  if (found) return found;
  const { diff, isCut } = compare(before, after, time);
  if (known.size >= MOST_KNOWN) known.clear();
  if (!isCut) known.set(key, diff);
  return diff;
}

/** Most time that is kept for the effect of all steps, in milliseconds. */
const TOTAL_MS = 1_000;

/** @returns the differences, and whether the time was too short to look for every effect */
function compare(
  before: readonly Rule[],
  after: readonly Rule[],
  time: TimeLimit,
): { diff: RuleSetDiff; isCut: boolean } {
  const expressions = new RuleExpressions();
  // The effect of all steps together matters most, so the single steps may not take all
  // the time.
  const { leftMs } = time;
  const timeOfSteps = time.part(leftMs - Math.min(TOTAL_MS, leftMs / 2));
  let rules = before;
  let enabled = expressions.enabled(before);
  const changes = findSteps(before, after, expressions).map(
    (step): RuleChange => {
      if (timeOfSteps.isOver) return { ...step, effect: CANNOT_TELL };
      rules = applyStep(rules, step);
      const next = expressions.enabled(rules);
      const effect = stepEffect(step.rule.name, enabled, next, timeOfSteps);
      enabled = next;
      return { ...step, effect };
    },
  );
  const effect = totalEffect(
    expressions.enabled(before),
    expressions.enabled(after),
    changes.map((change) => change.effect),
    time,
  );
  return {
    diff: { changes, effect },
    isCut: timeOfSteps.isOver || time.isOver,
  };
}
