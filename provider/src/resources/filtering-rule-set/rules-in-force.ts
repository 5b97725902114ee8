import type { Client, FilteringRule } from "@devid/sdk";
import type { OperationContext } from "../../definition/define-resource";
import { refusesList } from "../../session/answers";
import { findSteps, type Rule } from "@devid/rules";
import { fromService } from "./rule-set-state";

/** The rules in force in an environment, in their order, in the form of declared rules. */
export async function readRulesInForce(
  { filteringRules }: Client,
  environment: string,
): Promise<Rule[]> {
  return fromService(await filteringRules.list({ environment }));
}

/**
 * The rules of an environment in their order, as the service has them; `undefined`
 * where the service refuses to list rules, which a message says once
 * (docs/assumptions.md, A130). A refresh (`isRefresh`) of several environments
 * takes them from one list; any other call asks for this environment's rules.
 */
export async function listInForce(
  { client, session, log }: OperationContext,
  environment: string,
  { isRefresh = false } = {},
): Promise<readonly FilteringRule[] | undefined> {
  const { filteringRules } = client;
  const list = () => filteringRules.list({ environment });
  try {
    if (!isRefresh) return await list();
    const { workspace } = await session.workspace();
    return await session.reads.part(
      filteringRules,
      list,
      (rule) => (rule.environment ?? workspace) === environment,
    );
  } catch (error) {
    if (!refusesList(error)) throw error;
    if (session.isFirst("no list of rules"))
      await log(
        "warning",
        `${error.message} Filtering rule sets continue without the list, so devid does not notice when others change rules.`,
      );
    return undefined;
  }
}

/** What a resource knew of the rules of its environment before an operation. */
export interface KnownRules {
  readonly rules: readonly Rule[];
  /** IDs of the rules that the resource wrote; absent where that is unknown. */
  readonly ownIds?: ReadonlySet<string>;
  /** Whether the program or the state marks the rules as secret: no message shows them. */
  readonly isSecret?: boolean;
}

/** A rule in force and its place: the name of the rule before it, "" for the first. */
export interface PlacedRule {
  readonly id: string;
  readonly rule: Rule;
  readonly after: string;
}

/** All listed rules as known and as written by the resource. */
export const allKnown = (rules: readonly FilteringRule[]): KnownRules => ({
  rules: fromService(rules),
  ownIds: new Set(rules.map(({ id }) => id)),
});

/**
 * The rules in force that somebody else wrote or changed, and that a write of
 * `declared` removes. They differ from the known rules in their IDs or contents.
 */
export function rulesOfOthers(
  inForce: readonly FilteringRule[],
  { rules: seen, ownIds }: KnownRules,
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

/** Names of the rules of `to` that `from` lacks, or has with another meaning. */
function namesUnlike(
  from: readonly Rule[],
  to: readonly Rule[],
): ReadonlySet<string> {
  const steps = findSteps(from, to).filter(
    ({ kind }) => kind !== "removed" && kind !== "moved",
  );
  return new Set(steps.map(({ rule }) => rule.name));
}

/** Names of the rules seen in force that the resource did not write. */
export function foreignNames(
  own: Readonly<Record<string, string>> = {},
  seen: Readonly<Record<string, string>> = own,
): string[] {
  const ids = new Set(Object.values(own));
  return Object.keys(seen).filter((name) => !ids.has(seen[name] ?? ""));
}

/** Names of the rules whose ID has changed. */
export function rewrittenSince(
  had: Readonly<Record<string, string>> = {},
  have: Readonly<Record<string, string>> = had,
): string[] {
  return Object.keys(have).filter(
    (name) => Object.hasOwn(had, name) && had[name] !== have[name],
  );
}
