import type { FilteringRule } from "@devid/sdk";
import { findSteps, type Rule } from "@devid/rules";
import { fromService } from "./rule-set-state";

/** The rules of an environment when they were last looked at. */
export interface LastLook {
  readonly rules: readonly Rule[];
  /** IDs of those that the resource wrote; absent where nobody knows. */
  readonly ownIds?: ReadonlySet<string>;
}

/** A rule in force, with the name of the rule before it, "" for the first. */
export interface PlacedRule {
  readonly id: string;
  readonly rule: Rule;
  readonly after: string;
}

/** Nothing was looked at, and nothing written. */
export const NO_LOOK: LastLook = { rules: [], ownIds: new Set() };

/** Rules just listed, all of them known. */
export const lookAt = (rules: readonly FilteringRule[]): LastLook => ({
  rules: fromService(rules),
  ownIds: new Set(rules.map(({ id }) => id)),
});

/**
 * The rules in force that a resource did not write as they are, by their IDs
 * and by what they said when it last looked, and that a write of `declared`
 * takes away.
 */
export function rulesOfOthers(
  inForce: readonly FilteringRule[],
  { rules: seen, ownIds }: LastLook,
  declared: readonly Rule[] = [],
): PlacedRule[] {
  const rules = fromService(inForce);
  const isChanged = namesUnlike(seen, rules);
  const isDropped = namesUnlike(declared, rules);
  return rules
    .map((rule, place) => ({
      id: inForce[place]?.id ?? "",
      rule,
      after: rules[place - 1]?.name ?? "",
    }))
    .filter(
      ({ id, rule: { name } }) =>
        isDropped.has(name) &&
        (isChanged.has(name) || (ownIds !== undefined && !ownIds.has(id))),
    );
}

/** Names of the rules of `to` that `from` lacks, or has with another content. */
function namesUnlike(
  from: readonly Rule[],
  to: readonly Rule[],
): ReadonlySet<string> {
  const steps = findSteps(from, to).filter(
    ({ kind }) => kind !== "removed" && kind !== "moved",
  );
  return new Set(steps.map(({ rule }) => rule.name));
}

/** Names of the rules seen in force that others wrote. */
export function foreignNames(
  own: Readonly<Record<string, string>> = {},
  seen: Readonly<Record<string, string>> = own,
): string[] {
  const ids = new Set(Object.values(own));
  return Object.keys(seen).filter((name) => !ids.has(seen[name] ?? ""));
}

/** Names of the rules that have another ID now than they had. */
export function rewrittenSince(
  had: Readonly<Record<string, string>> = {},
  have: Readonly<Record<string, string>> = had,
): string[] {
  return Object.keys(have).filter(
    (name) => had[name] !== undefined && had[name] !== have[name],
  );
}
