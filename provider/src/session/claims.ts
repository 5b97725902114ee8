import { DevidError } from "@devid/sdk";

/** Another resource has the object, or none of ours; nothing was changed. */
export class OwnershipError extends DevidError {
  override readonly name = "OwnershipError";
}

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
  readonly #failed = new Set<string>();
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
  make(kind: string, id: string, claim: string): void {
    this.#made.set(keyOf(kind, id), claim);
    this.#failed.delete(keyOf(kind, id));
  }

  /** A create of this session was to take the object over, and could not. */
  fail(kind: string, id: string): void {
    this.#failed.add(keyOf(kind, id));
  }

  /** Whether a create of this session was to take the object over, and could not. */
  hasFailed(kind: string, id: string): boolean {
    return this.#failed.has(keyOf(kind, id));
  }

  /**
   * A resource with this state was seen.
   * @throws OwnershipError when the program has another resource with the object
   */
  see(kind: string, id: string, claim: string | undefined): void {
    if (claim === undefined) return;
    if (this.#hasProgram && this.other(kind, id, claim))
      throw new OwnershipError(
        `${kind} ${id} is in the state of two resources of this program, and an update of either would undo the other. ` +
          `Take one of the two out of the program, and out of the state with pulumi state delete, which leaves ${id} as it is.`,
      );
    this.#seen.set(keyOf(kind, id), claim);
  }

  /** Whether another resource than that of the claim has the object. */
  other(
    kind: string,
    id: string,
    claim: string | undefined,
  ): Claim | undefined {
    const key = keyOf(kind, id);
    const differs = (known: string | undefined) =>
      known !== undefined && known !== claim;
    if (differs(this.#made.get(key))) return "made";
    const isSeen = this.#hasProgram && differs(this.#seen.get(key));
    return isSeen ? "seen" : undefined;
  }

  /** The object is gone. */
  forget(kind: string, id: string): void {
    this.#made.delete(keyOf(kind, id));
    this.#seen.delete(keyOf(kind, id));
  }
}

/** Objects of two kinds may share an ID: a rule set has that of its environment. */
const keyOf = (kind: string, id: string) => `${kind} ${id}`;
