import {
  OwnershipError,
  type OwnershipOperation,
  type Others,
} from "./decisions";

/** What was to be done to which object. */
interface Refused {
  readonly kind: string;
  /** What messages call such an object: `API key`. */
  readonly singular: string;
  readonly id: string;
  /** The environment, where each has one such object. */
  readonly place: string | undefined;
}

/** The error of an operation that the table of decisions refuses. */
export function refusal(
  operation: Exclude<OwnershipOperation, "delete with environment">,
  others: Others,
  { kind, singular, id, place }: Refused,
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
    switch (operation) {
      case "take":
        return place
          ? `The ${singular} of ${place} is in another ${kind} of this program, and an update of either would undo the other. Nothing was changed; declare one ${kind} for each environment.`
          : `The ${singular} ${id} cannot be adopted: another resource of this program has it. Nothing was changed; leave adopt out to make another ${kind}.`;
      case "update":
        return others === "wanted"
          ? `${kind} ${id} is in the state of a resource of this program, and another one is to take it over. Declare it once: take the new resource out of the program, or give it an alias with the old one's name, and take the old one out.`
          : `${kind} ${id} is in the state of two resources of this program, and an update of either would undo the other. ` +
              `Take one of the two out of the program, and out of the state with pulumi state delete, which leaves ${id} as it is.`;
      case "delete":
      case "give back":
        return others === "wanted"
          ? `${kind} ${id} was not deleted, and stays as it is: another resource of this program was to take it over in this update, and could not. See to that, and run the update again.`
          : `${kind} ${id} was not deleted: another resource of this program has it, too, perhaps since an update was interrupted. ` +
              `Take the one that is gone from the program out of the state alone: pulumi state delete with its URN, which pulumi stack --show-urns prints; ${id} stays as it is.`;
    }
  }
}
