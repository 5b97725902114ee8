/** A FilteringRuleSet of the stack's state. */
export interface KnownRuleSet {
  readonly urn: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** A FilteringRuleSet that the program declares; what is not known yet is left out. */
export interface DeclaredRuleSet {
  readonly name: string;
  /** Its own URN, then those of its aliases. */
  readonly urns: readonly string[];
  /** Whether a deployment makes it. */
  readonly isNew: boolean;
  /** ID of its environment, `default`, or undefined where that is not known. */
  readonly environment?: string;
  readonly takeOver: boolean;
}

/**
 * One line for each environment that a deployment leaves without filtering
 * rules: its rule set is in the state, and the program declares none for it.
 */
export function describeLostRules(
  known: readonly KnownRuleSet[],
  declared: readonly DeclaredRuleSet[],
): string[] {
  return going(known, declared)
    .filter((ruleSet) => !declared.some((other) => mayCover(other, ruleSet)))
    .map(
      ({ urn, outputs }) =>
        `Environment ${String(outputs.environmentId)} is left without filtering rules: FilteringRuleSet "${nameIn(urn)}" goes, and every request is allowed then.`,
    );
}

/**
 * One line for each new rule set that may be one of the state under another
 * name or parent: which alias says so. With `takeOver`, none is needed.
 */
export function describeRenames(
  known: readonly KnownRuleSet[],
  declared: readonly DeclaredRuleSet[],
): string[] {
  return going(known, declared).flatMap((ruleSet) => {
    const there = declared.filter((other) => mayCover(other, ruleSet));
    const isCovered = there.some(({ isNew, takeOver }) => !isNew || takeOver);
    if (isCovered) return [];
    const namesakes = there.filter(({ name }) => name === nameIn(ruleSet.urn));
    return (namesakes.length > 0 ? namesakes : there).map((successor) =>
      describeAlias(ruleSet.urn, successor),
    );
  });
}

/** Rule sets with rules that the program does not declare any more. */
function going(
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
  const last = nameIn(urn);
  const [own = ""] = urns;
  const isMoved = parentsIn(urn) !== parentsIn(own);
  const isNested = parentsIn(urn) !== "";
  const parts = [
    ...(last === name ? [] : [`name: ${JSON.stringify(last)}`]),
    ...(isMoved ? ["parent: pulumi.rootStackResource"] : []),
  ];
  // A URN tells no parent's name, so only the whole of it is sure.
  const alias =
    isMoved && isNested ? JSON.stringify(urn) : `{ ${parts.join(", ")} }`;
  const how = [
    ...(last === name ? [] : ["under a new name"]),
    ...(isMoved ? ["under another parent"] : []),
  ];
  return (
    `If "${name}" is the FilteringRuleSet "${last}" ${how.join(" and ")}, write { aliases: [${alias}] } ` +
    `among its options: without it, the update is refused.`
  );
}

/** Whether a declared rule set is, or may be, the one of the same environment. */
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
  // Without an owner, the ID that was given may be the default environment's.
  return isOfDefault || owner?.workspace === undefined;
}

const hasRules = (rules: unknown) =>
  typeof rules === "object" && rules !== null && Object.keys(rules).length > 0;

const nameIn = (urn: string) => urn.split("::").slice(3).join("::");

/** The types of the parents, from the outermost. */
const parentsIn = (urn: string) =>
  (urn.split("::")[2] ?? "").split("$").slice(0, -1).join("$");
