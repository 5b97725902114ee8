import { nameOfUrn, typesOfUrn } from "../definition/engine-names";

/** A FilteringRuleSet in the stack's state. */
export interface KnownRuleSet {
  readonly urn: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** A FilteringRuleSet that the program declares; members that are unknown in a preview are absent. */
export interface DeclaredRuleSet {
  readonly name: string;
  /** Its own URN, then the URNs of its aliases. */
  readonly urns: readonly string[];
  /** Whether the state lacks it, so that a deployment creates it. */
  readonly isNew: boolean;
  /** ID of its environment, or `default`; absent if unknown. */
  readonly environment?: string;
  readonly takeOver: boolean;
}

/**
 * One line for each environment that a deployment leaves without filtering
 * rules: the state has a rule set for it, and the program declares none.
 */
export function describeLostRules(
  known: readonly KnownRuleSet[],
  declared: readonly DeclaredRuleSet[],
): string[] {
  return undeclared(known, declared)
    .filter((ruleSet) => !declared.some((other) => mayCover(other, ruleSet)))
    .map(
      ({ urn, outputs }) =>
        `Environment ${String(outputs.environmentId)} is left without filtering rules, because FilteringRuleSet "${nameOfUrn(urn)}" is deleted. Every request is then allowed.`,
    );
}

/**
 * One line for each new rule set that may be a renamed or moved rule set of the state,
 * with the alias that it needs. A rule set with `takeOver` needs no alias.
 */
export function describeRenames(
  known: readonly KnownRuleSet[],
  declared: readonly DeclaredRuleSet[],
): string[] {
  return undeclared(known, declared).flatMap((ruleSet) => {
    const candidates = declared.filter((other) => mayCover(other, ruleSet));
    const isCovered = candidates.some(
      ({ isNew, takeOver }) => !isNew || takeOver,
    );
    if (isCovered) return [];
    const namesakes = candidates.filter(
      ({ name }) => name === nameOfUrn(ruleSet.urn),
    );
    return (namesakes.length > 0 ? namesakes : candidates).map((successor) =>
      describeAlias(ruleSet.urn, successor),
    );
  });
}

/** The rule sets of the state that have rules and that the program no longer declares. */
function undeclared(
  known: readonly KnownRuleSet[],
  declared: readonly DeclaredRuleSet[],
): KnownRuleSet[] {
  const kept = new Set(declared.flatMap(({ urns }) => urns));
  return known.filter(
    ({ urn, outputs }) =>
      !kept.has(urn) &&
      hasRules(outputs.rules) &&
      typeof outputs.environmentId === "string",
  );
}

function describeAlias(urn: string, { name, urns }: DeclaredRuleSet): string {
  const last = nameOfUrn(urn);
  const [own = ""] = urns;
  const isMoved = parentsOf(urn) !== parentsOf(own);
  const isNested = parentsOf(urn) !== "";
  const parts = [
    ...(last === name ? [] : [`name: ${JSON.stringify(last)}`]),
    ...(isMoved ? ["parent: pulumi.rootStackResource"] : []),
  ];
  // A URN has the types of the parents and not their names, so only the whole URN is sure.
  const alias =
    isMoved && isNested ? JSON.stringify(urn) : `{ ${parts.join(", ")} }`;
  const how = [
    ...(last === name ? [] : ["under a new name"]),
    ...(isMoved ? ["under another parent"] : []),
  ];
  return (
    `If "${name}" is the FilteringRuleSet "${last}" ${how.join(" and ")}, add { aliases: [${alias}] } to its options. ` +
    `Without the alias, the update is refused.`
  );
}

/**
 * Whether a declared rule set is, or may be, for the same environment as a rule set of
 * the state.
 */
function mayCover(
  { environment }: DeclaredRuleSet,
  { outputs }: KnownRuleSet,
): boolean {
  if (environment === undefined || environment === outputs.environmentId)
    return true;
  if (environment !== "default") return false;
  const { owner } = outputs as { owner?: { workspace?: unknown } };
  const isOfDefault =
    outputs.environment === undefined ||
    owner?.workspace === outputs.environmentId;
  // A state without an owner may have the default environment's ID as an ordinary one.
  return isOfDefault || owner?.workspace === undefined;
}

const hasRules = (rules: unknown) =>
  typeof rules === "object" && rules !== null && Object.keys(rules).length > 0;

/** The types of the parents, the outermost first. */
const parentsOf = (urn: string) => typesOfUrn(urn).slice(0, -1).join("$");
