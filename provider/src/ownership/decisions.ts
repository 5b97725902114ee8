import { DevidError } from "@devid/sdk";

/** An object was left as it is because another resource has it, or may have it. */
export class OwnershipError extends DevidError {
  override readonly name = "OwnershipError";
}

/** What a run knows of the other resources that have an object. */
export type Others =
  /** No other resource is known to have it. */
  | "nobody"
  /** The state of another resource was seen with it, after the program began. */
  | "seen"
  /** The same, and that resource took the object over after this one. */
  | "succeeded"
  /** A new resource of the program is to take it over, and has not done so. */
  | "wanted"
  /** A create or an update of another resource in this run took it over, or changed it. */
  | "written";

/** What is to be done to an object. */
export type OwnershipOperation =
  /** A create adopts it, or takes over what exists once: an encryption key, the rules of an environment. */
  | "take"
  /** An update changes it. */
  | "update"
  /** A delete deletes it. */
  | "delete"
  /** A delete gives back what exists once. */
  | "give back"
  /** It is deleted with its environment. */
  | "delete with environment";

/** What an operation may do. */
export type Decision =
  | "goes on"
  /** The object stays as it is, the resource leaves the state, and a message says so. */
  | "leaves it"
  | "is refused"
  /** Goes on with the objects that the input `deleteContents` names, and is refused for others. */
  | "needs deleteContents";

/** The one table of ownership, which docs/ownership.md prints. */
export const DECISIONS: Readonly<
  Record<OwnershipOperation, Readonly<Record<Others, Decision>>>
> = {
  take: {
    nobody: "goes on",
    seen: "is refused",
    succeeded: "is refused",
    wanted: "is refused",
    written: "is refused",
  },
  update: {
    nobody: "goes on",
    seen: "is refused",
    succeeded: "is refused",
    wanted: "is refused",
    written: "is refused",
  },
  delete: {
    nobody: "goes on",
    seen: "is refused",
    succeeded: "leaves it",
    wanted: "is refused",
    written: "leaves it",
  },
  "give back": {
    nobody: "goes on",
    seen: "leaves it",
    succeeded: "leaves it",
    wanted: "is refused",
    written: "leaves it",
  },
  "delete with environment": {
    nobody: "needs deleteContents",
    seen: "is refused",
    succeeded: "is refused",
    wanted: "is refused",
    written: "is refused",
  },
};

/** What an operation may do to an object that other resources have in this way. */
export const decide = (
  operation: OwnershipOperation,
  others: Others,
): Decision => DECISIONS[operation][others];
