import { DevidError } from "@devid/sdk";

/** An object was left as it is because another resource has it, or may have it. */
export class OwnershipError extends DevidError {
  override readonly name = "OwnershipError";
}

/** How the session knows that a resource has an object. */
export type Claim = "made" | "seen";

/**
 * Records which resources have which objects. Each create puts a random text into
 * its state, the claim: two states with the same object and different claims
 * belong to two resources.
 *
 * A claim that this session made itself is certain, and a delete by another
 * resource then leaves the object alone. A claim that the session has only seen in
 * a state may be outdated, and can do no more than make an operation refuse.
 */
export class Claims {
  readonly #made = new Map<string, string>();
  readonly #makers = new Map<string, string>();
  readonly #seen = new Map<string, string>();
  readonly #failed = new Set<string>();
  #hasProgram = false;

  /**
   * Called by each check. States that were seen before the first check came from a
   * refresh and may be gone from the program, so they are forgotten. Without any
   * check, as in a destroy, seen states do not count.
   */
  enterProgram(): void {
    if (!this.#hasProgram) this.#seen.clear();
    this.#hasProgram = true;
  }

  /** Records that a create of this session, of the resource with this URN, made or took over the object. */
  make(kind: string, id: string, claim: string, urn?: string): void {
    this.#made.set(keyOf(kind, id), claim);
    if (urn) this.#makers.set(keyOf(kind, id), urn);
    this.#failed.delete(keyOf(kind, id));
  }

  /** URN of the resource whose create made or took over the object in this session. */
  maker(kind: string, id: string): string | undefined {
    return this.#makers.get(keyOf(kind, id));
  }

  /** Records that a create of this session failed to take the object over. */
  fail(kind: string, id: string): void {
    this.#failed.add(keyOf(kind, id));
  }

  /** Whether a create of this session failed to take the object over. */
  hasFailed(kind: string, id: string): boolean {
    return this.#failed.has(keyOf(kind, id));
  }

  /**
   * Records that a resource with this claim is in the state.
   * @throws OwnershipError when another resource of the program has the object
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

  /** How it is known that a resource with another claim has the object; undefined where none has. */
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

  /** Forgets an object that was deleted. */
  forget(kind: string, id: string): void {
    this.#made.delete(keyOf(kind, id));
    this.#makers.delete(keyOf(kind, id));
    this.#seen.delete(keyOf(kind, id));
  }
}

/** Objects of two kinds may share an ID: a rule set has the ID of its environment. */
const keyOf = (kind: string, id: string) => `${kind} ${id}`;
