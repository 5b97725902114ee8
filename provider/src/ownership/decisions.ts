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
  /** The state of another resource of the program has the object. */
  | "seen"
  /**
   * Another resource created, adopted or updated the object in this run, or in an
   * interrupted run before it.
   */
  | "written"
  /**
   * As `written`, but the other resource's state lacks a token that only this
   * resource's state has.
   */
  | "lacking";

/**
 * An operation on an object. `take` is a create that adopts an object, or takes over
 * the key or rules of an environment.
 */
export type OwnershipOperation =
  "take" | "update" | "delete" | "delete with environment";

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
  delete: { nobody: "goes on", condemned: "goes on", written: "leaves it" },
  "delete with environment": { nobody: "goes on", condemned: "goes on" },
};

/** Looks up what an operation may do. */
export const decide = (
  operation: OwnershipOperation,
  others: Others,
): Decision => DECISIONS[operation][others] ?? "is refused";

/** The error of a refused operation on one object. */
export function refusal(
  operation: OwnershipOperation,
  others: Others,
  id: string,
  { kind, singular }: { readonly kind: string; readonly singular: string },
): OwnershipError {
  return new OwnershipError(message());

  function message(): string {
    if (others === "condemned")
      return `The ${singular} ${id} is named in the deleteContents of an Environment of this program, so it would be deleted with the environment, though a resource of the program is to have it. Nothing was changed; take ${id} out of deleteContents.`;
    if (others === "lacking")
      return (
        `${kind} ${id} has another resource of this program now, whose state lacks what the service shows only once. Only this state still has it, so it was not dropped.\n` +
        `- To keep it, take the new resource out of the state alone: pulumi state delete with its URN, which pulumi stack --show-urns prints. Give it an alias with the old name, aliases: [{ name: "the old name" }], and run pulumi up.\n` +
        `- To give it up, take the old resource out of the state in the same way; ${id} stays as it is.`
      );
    const [, place] = id.split(`${kind} of `);
    if (operation === "take" && place)
      return `The ${singular} of ${place} is in another ${kind} of this program, and an update of either would undo the other. Declare one ${kind} for each environment.`;
    if (operation === "take")
      return `The ${singular} ${id} cannot be adopted: another resource of this program has it. Nothing was changed; leave adopt out to make another ${kind}.`;
    if (operation === "update" && others === "wanted")
      return `${kind} ${id} is in the state of a resource of this program, and another one is to take it over. Declare it once: take the new resource out of the program, or give it an alias with the old one's name, and take the old one out.`;
    if (operation === "update")
      return `${kind} ${id} is in the state of two resources of this program, and an update of either would undo the other. Take one of the two out of the program, and out of the state with pulumi state delete, which leaves ${id} as it is.`;
    if (others === "wanted")
      return `${kind} ${id} was not deleted, and stays as it is: another resource of this program was to take it over in this update, and could not. See to that, and run the update again.`;
    return `${kind} ${id} was not deleted: another resource of this program has it, too, perhaps since an update was interrupted. Take the one that is gone from the program out of the state alone: pulumi state delete with its URN, which pulumi stack --show-urns prints; ${id} stays as it is.`;
  }
}
