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
 * What a deployment does to environments whose rule sets the program no longer
 * declares, in words: one line for each that loses its filtering rules, and one
 * for each rule set that a new one may have been meant to be.
 */
export function describeRuleSetsThatGo(
  known: readonly KnownRuleSet[],
  declared: readonly DeclaredRuleSet[],
): string[] {
  const kept = new Set(declared.flatMap(({ urns }) => urns));
  const going = known.filter(
    ({ urn, outputs }) => !kept.has(urn) && hasRules(outputs.rules),
  );
  return going.flatMap((ruleSet) => {
    const environment = ruleSet.outputs.environmentId;
    if (typeof environment !== "string") return [];
    const there = declared.filter((other) => mayCover(other, ruleSet));
    if (there.length === 0)
      return [
        `Environment ${environment} is left without filtering rules: FilteringRuleSet "${nameIn(ruleSet.urn)}" goes, and every request is allowed then.`,
      ];
    const successors = there.filter(
      ({ isNew, takeOver }) => isNew && !takeOver,
    );
    if (successors.length < there.length) return [];
    const namesakes = successors.filter(
      ({ name }) => name === nameIn(ruleSet.urn),
    );
    return (namesakes.length > 0 ? namesakes : successors).map((successor) =>
      describeAlias(ruleSet.urn, successor),
    );
  });
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
