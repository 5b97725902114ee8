import type { OwnershipOperation, Others } from "./decisions";

/** The ledger's name for an object that exists once in an environment. */
export const onlyOneIn = (environment: string, kind: string): string =>
  `${kind} of environment ${environment}`;

/** The ledger's name for an object that exists once in the default environment. */
export const onlyOneInDefault = (kind: string): string =>
  `${kind} of the default environment`;

/** A resource, as far as it is known from a call of the engine. */
export interface Claimant {
  /** The random text in its state; absent before a create, or if somebody removed it. */
  readonly claim?: string | undefined;
  /** Absent in a read or a delete of a dynamic resource. */
  readonly urn?: string | undefined;
  /** Whether its state has every output that the service shows only once. */
  readonly hasOnceShown?: boolean;
}

type Evidence = "condemned" | "wanted" | "seen" | "written";

/**
 * What one run knows about the owners of objects: for each object one resource, and the
 * evidence. The key is the ID of the object, or the environment for an object that
 * exists once there. Each create puts a random text into its state, the claim. Two
 * states with the same object and different claims belong to two resources.
 */
export class Ledger {
  readonly #entries = new Map<string, Claimant & { evidence: Evidence }>();
  readonly #urns = new Set<string | undefined>();
  readonly #deleted = new Set<string>();
  #hasProgram = false;

  /**
   * Called by each check. States before the first check come from a refresh or a
   * destroy, and say nothing about the program.
   */
  enterProgram(): void {
    this.#hasProgram = true;
  }

  /** Records that the state has a resource with this URN. */
  mention(urn: string | undefined): void {
    if (urn) this.#urns.add(urn);
  }

  /** Whether a call of the engine has named a resource with this URN that is in the state. */
  hasResource(urn: string | undefined): boolean {
    return this.#urns.has(urn);
  }

  /**
   * Records evidence that a resource has, or wants, an object. A refresh compares a
   * state with itself before the program declares the resource, perhaps under another
   * name with an alias. Such a state says nothing about the program.
   */
  note(evidence: Evidence, object: string, by: Claimant): void {
    const isDeclared =
      by.urn === undefined ? this.#hasProgram : this.#urns.has(by.urn);
    if (evidence !== "seen" || isDeclared)
      this.#entries.set(object, { ...by, evidence });
  }

  /**
   * A resource wants an object no more, because it has a state with another one. The plugin's
   * check cannot tell last inputs without a value from those of a new resource.
   */
  withdraw(object: string, urn: string | undefined): void {
    const entry = this.#entries.get(object);
    if (entry?.evidence === "wanted" && entry.urn === urn)
      this.#entries.delete(object);
  }

  /** Forgets the owner of an object that was deleted. */
  forget(object: string): void {
    this.#entries.delete(object);
    this.#deleted.add(object);
  }

  /** Whether the new resource may take an object: no other has or wants it, and this run did not delete it. */
  isFree(object: string, urn?: string): boolean {
    const entry = this.#entries.get(object);
    const isOwn = entry?.evidence === "wanted" && entry.urn === urn;
    return (!entry || isOwn) && !this.#deleted.has(object);
  }

  /** The resource that has an object, or wants it. */
  holder(object: string): Claimant | undefined {
    return this.#entries.get(object);
  }

  /** What is known about other resources with this object. */
  others(
    operation: OwnershipOperation,
    object: string,
    self: Claimant,
  ): Others {
    const entry = this.#entries.get(object);
    if (!entry) return "nobody";
    const { evidence, claim, urn, hasOnceShown } = entry;
    const hasState = evidence === "seen" || evidence === "written";
    // A delete may belong to an older state under the same URN. Without a URN, two
    // objects cannot be attributed to one resource.
    const isSelf =
      operation === "delete" && hasState
        ? claim === self.claim
        : urn === self.urn &&
          (urn !== undefined || operation === "update" || !hasState);
    // A refresh within an update reads a dynamic resource without its URN.
    const isSelfWithoutUrn =
      (urn === undefined || self.urn === undefined) &&
      claim !== undefined &&
      claim === self.claim;
    if (isSelf || isSelfWithoutUrn) return "nobody";
    if (!hasState) return evidence;
    const wouldDropSecret =
      operation === "delete" && self.hasOnceShown && hasOnceShown === false;
    return wouldDropSecret ? "lacking" : "had";
  }
}
