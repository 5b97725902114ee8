import { DevidError } from "@devid/sdk";

/**
 * The operation was refused because another resource has the object, or may have it.
 */
export class OwnershipError extends DevidError {
  override readonly name = "OwnershipError";
}

/** What a run knows about other resources with the same object. */
export type Others =
  /** No other resource has the object, as far as the run knows. */
  | "nobody"
  /**
   * No other resource has the object, but `deleteContents` of an environment of the
   * program names it.
   */
  | "condemned"
  /** A new resource of the program will take the object over. */
  | "wanted"
  /**
   * Another resource created, adopted or updated the object in this run, or its state
   * has the object.
   */
  | "had"
  /**
   * As `had`, but the other resource's state lacks a token that only this
   * resource's state has.
   */
  | "lacking";

/**
 * An operation on an object. `take` is a create that adopts an object, or takes over
 * the key or rules of an environment.
 */
export type OwnershipOperation =
  | "take"
  | "update"
  | "delete"
  | "delete with environment";

/** What an operation may do. */
export type Decision =
  | "goes on"
  /** The object stays as it is, the resource leaves the state, and a message says so. */
  | "leaves it"
  | "is refused";

/**
 * The table of ownership, which docs/ownership.md prints. An operation that is not in
 * the table is refused.
 */
export const DECISIONS: Readonly<
  Record<OwnershipOperation, Partial<Record<Others, Decision>>>
> = {
  take: { nobody: "goes on" },
  update: { nobody: "goes on" },
  delete: { nobody: "goes on", condemned: "goes on", had: "leaves it" },
  "delete with environment": { nobody: "goes on", condemned: "goes on" },
};

/** Looks up what an operation may do. */
export const decide = (
  operation: OwnershipOperation,
  others: Others,
): Decision => DECISIONS[operation][others] ?? "is refused";

/** What an OwnershipError says about a refused operation on one object. */
export function refusal(
  operation: OwnershipOperation,
  others: Others,
  id: string,
  { kind, singular }: { readonly kind: string; readonly singular: string },
): string {
  if (others === "condemned")
    return `The ${singular} ${id} is named in the deleteContents of an Environment of this program, so it would be deleted with the environment, but a resource of the program declares it. Nothing was changed. Remove ${id} from deleteContents.`;
  if (others === "lacking")
    return (
      `${kind} ${id} belongs to another resource of this program now. The state of that resource lacks the secret that the service shows only once. Only the old state has the secret, so it was not dropped.\n` +
      `- To keep the secret, remove the new resource from the state alone: pulumi state delete with its URN, which pulumi stack --show-urns prints. Give the resource an alias with the old name, aliases: [{ name: "the old name" }], and run pulumi up.\n` +
      `- To give up the secret, remove the old resource from the state in the same way; ${id} stays as it is.`
    );
  const [, place] = id.split(`${kind} of `);
  if (operation === "take" && place)
    return `Another ${kind} of this program has the ${singular} of ${place}, and each would undo the changes of the other. Declare only one ${kind} for each environment.`;
  if (operation === "take")
    return `The ${singular} ${id} cannot be adopted: another resource of this program has it. Nothing was changed. Leave adopt out to create a new ${kind}.`;
  if (operation === "update" && others === "wanted")
    return `${kind} ${id} is in the state of a resource of this program, and another resource would take it over. Declare it only once: remove the new resource from the program, or remove the old one and give the new one an alias with the old name. If devid:adopt is byName and both are meant, declare the new resource after the old one.`;
  if (operation === "update")
    return `${kind} ${id} is in the state of two resources of this program, and each would undo the changes of the other. Remove one of the two from the program, and from the state with pulumi state delete, which leaves ${id} as it is.`;
  return `${kind} ${id} was not deleted and stays as it is, because another resource of this program should take it over in this update but could not. Correct that resource, and run the update again.`;
}
