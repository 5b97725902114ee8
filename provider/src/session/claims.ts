import { OwnershipError } from "../definition/errors";

/** How it is known that another resource has an object. */
export type Claim = "made" | "seen";

/**
 * Which resources have which objects, as far as this session has seen. Each
 * create leaves a random text in the state that it makes, the claim: two states
 * with one object and different claims are two resources.
 *
 * What this session made is certain: it may let a delete leave an object alone.
 * What it has merely seen in the program may make it refuse, and nothing else.
 */
export class Claims {
  readonly #made = new Map<string, string>();
  readonly #seen = new Map<string, string>();
  #hasProgram = false;

  /**
   * Called by each check. What was seen before the first one was seen by a
   * refresh, and may be gone from the program. Where none comes, as in a
   * destruction, there is no program, and what was seen counts for nothing.
   */
  enterProgram(): void {
    if (!this.#hasProgram) this.#seen.clear();
    this.#hasProgram = true;
  }

  /** A create of this session made, or took over, the object. */
  make(id: string, claim: string): void {
    this.#made.set(id, claim);
  }

  /**
   * A resource with this state was seen.
   * @throws OwnershipError when the program has another resource with the object
   */
  see(kind: string, id: string, claim: string | undefined): void {
    if (claim === undefined) return;
    if (this.#hasProgram && this.other(id, claim))
      throw new OwnershipError(
        `${kind} ${id} is in the state of two resources of this program, and an update of either would undo the other. ` +
          `Take one of the two out of the program, and out of the state with pulumi state delete, which leaves ${id} as it is.`,
      );
    this.#seen.set(id, claim);
  }

  /** Whether another resource than that of the claim has the object. */
  other(id: string, claim: string | undefined): Claim | undefined {
    const differs = (known: string | undefined) =>
      known !== undefined && known !== claim;
    if (differs(this.#made.get(id))) return "made";
    const isSeen = this.#hasProgram && differs(this.#seen.get(id));
    return isSeen ? "seen" : undefined;
  }

  /** The object is gone. */
  forget(id: string): void {
    this.#made.delete(id);
    this.#seen.delete(id);
  }
}
