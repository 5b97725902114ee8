import {
  all,
  allows,
  any,
  matches,
  not,
  noneMatches,
  type Condition,
} from "../solver/condition";
import { findRequest, type FoundRequest } from "../solver/find-request";
import type { Rule } from "../rule-set/rule";
import { isReadable, isSameDecision, type ReadRule } from "./read-rule";
import { effectOf, type RuleSetEffect } from "./rule-set-effect";

/**
 * A rule that came to stand before others, or went from there. The requests
 * that this decides otherwise reach the rule, match it, and meet the opposite
 * decision behind it.
 */
interface Part {
  readonly rule: ReadRule;
  readonly ahead: readonly ReadRule[];
  readonly behind: readonly ReadRule[];
  readonly kind: "came" | "went";
}

/** What a step does to requests: of two lists of enabled rules that differ in the one of this name. */
export function stepEffect(
  name: string,
  before: readonly ReadRule[],
  after: readonly ReadRule[],
): RuleSetEffect {
  const parts = partsOf(name, before, after);
  const half = (came: Rule["action"], went: Rule["action"]) =>
    requestFor(
      parts.filter(({ rule, kind }) => {
        const { action } = rule.rule;
        // An action that nobody knows may be either.
        return action !== (kind === "came" ? went : came);
      }),
    );
  return effectOf(half("deny", "allow"), half("allow", "deny"));
}

/** A rule that moves down only goes, for what it decides behind others it decided before them, too; one that moves up only comes. */
function partsOf(
  name: string,
  before: readonly ReadRule[],
  after: readonly ReadRule[],
): Part[] {
  const from = before.findIndex(({ rule }) => rule.name === name);
  const to = after.findIndex(({ rule }) => rule.name === name);
  const [old, now] = [before[from], after[to]];
  if (old && now && from === to && isSameDecision(old, now)) return [];
  const parts: Part[] = [];
  if (old && (!now || from <= to))
    parts.push({
      rule: old,
      ahead: before.slice(0, from),
      behind: upTo(old, after.slice(from)),
      kind: "went",
    });
  if (now && (!old || to <= from))
    parts.push({
      rule: now,
      ahead: after.slice(0, to),
      behind: upTo(now, before.slice(to)),
      kind: "came",
    });
  return parts;
}

/** What matches a rule goes no further than where the rule stands again. */
function upTo(self: ReadRule, rules: readonly ReadRule[]): readonly ReadRule[] {
  const place = rules.findIndex(({ rule }) => rule === self.rule);
  return place < 0 ? rules : rules.slice(0, place + 1);
}

function requestFor(parts: readonly Part[]): FoundRequest {
  if (parts.length === 0) return { answer: "none" };
  const found = findRequest(any(...parts.map(conditionOf)));
  const isKnown = parts.every(({ rule, ahead, behind }) =>
    [rule, ...ahead, ...behind].every(isReadable),
  );
  return isKnown || found.answer === "none" ? found : { answer: "cannot tell" };
}

/** Where it cannot be told what a rule does, it may do anything: what is not found even so does not exist. */
function conditionOf({ rule, ahead, behind }: Part): Condition {
  const reached = noneMatches(ahead.filter(isReadable));
  if (!isReadable(rule)) return reached;
  const matched = all(matches(rule.expression), reached);
  if (!behind.every(isReadable)) return matched;
  const isDeny = rule.rule.action === "deny";
  return all(matched, isDeny ? allows(behind) : not(allows(behind)));
}
