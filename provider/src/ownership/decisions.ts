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
  /** No resource is known to have it, and an environment of the program is to take it along. */
  | "condemned"
  /** A create or an update of another resource in this run took it over, or changed it. */
  | "written"
  /** The same as succeeded or written, and its state lacks a token that only this state has. */
  | "lacking";

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

const REFUSED: Readonly<Record<Others, Decision>> = {
  nobody: "is refused",
  seen: "is refused",
  succeeded: "is refused",
  wanted: "is refused",
  condemned: "is refused",
  written: "is refused",
  lacking: "is refused",
};

/** The one table of ownership, which docs/ownership.md prints. What no row allows is refused. */
export const DECISIONS: Readonly<
  Record<OwnershipOperation, Readonly<Record<Others, Decision>>>
> = {
  take: { ...REFUSED, nobody: "goes on" },
  update: { ...REFUSED, nobody: "goes on" },
  delete: {
    ...REFUSED,
    nobody: "goes on",
    condemned: "goes on",
    succeeded: "leaves it",
    written: "leaves it",
  },
  "give back": {
    ...REFUSED,
    nobody: "goes on",
    condemned: "goes on",
    seen: "leaves it",
    succeeded: "leaves it",
    written: "leaves it",
  },
  "delete with environment": {
    ...REFUSED,
    nobody: "needs deleteContents",
    condemned: "needs deleteContents",
  },
};

/** What an operation may do to an object that other resources have in this way. */
export const decide = (
  operation: OwnershipOperation,
  others: Others,
): Decision => DECISIONS[operation][others];
