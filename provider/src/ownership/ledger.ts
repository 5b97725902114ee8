import { randomUUID } from "node:crypto";
import type { OwnershipOperation, Others } from "./decisions";

/** A resource, as far as a call of the engine tells. */
export interface Claimant {
  /** The random text in its state; absent before a create, and in a state of an old version. */
  readonly claim?: string | undefined;
  /** Absent in a read or a delete of a dynamic resource. */
  readonly urn?: string | undefined;
  /** Whether its state has every output that the service shows only once. */
  readonly hasOnceShown?: boolean;
}

/** What the run knows of one object. */
interface Entry {
  /** The resource that took it over, or changed it, in this run. */
  written?: Claimant | undefined;
  /** The resource whose state was seen with it. */
  seen?: Claimant | undefined;
}

/**
 * What one run knows of the owners of objects: for each object the resource that has
 * it, and the evidence. Each create puts a random text into its state, the claim: two
 * states with the same object and different claims belong to two resources.
 *
 * An object is known by its ID. What exists once in an environment is known by that
 * environment, and what is still to be found by its name or address.
 *
 * What a create or an update of this run has written is certain. A state that was only
 * seen may be outdated, and a wish may stay unfulfilled: these can do no more than
 * refuse an operation. The one exception is a state that was seen in the program, and
 * whose claim is later: an interrupted run gave the object to it.
 */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  /** By the URN of a new resource: the objects that it may be about to take over. */
  readonly #wishes = new Map<string | undefined, Set<string>>();
  readonly #condemned = new Set<string>();
  readonly #urns = new Set<string>();
  #hasProgram = false;

  /**
   * Called by each check. States that were seen before the first check came from a
   * refresh and may be gone from the program, so they are forgotten. Without any
   * check, as in a destroy, seen states do not count.
   */
  enterProgram(): void {
    if (!this.#hasProgram)
      for (const entry of this.#entries.values()) entry.seen = undefined;
    this.#hasProgram = true;
  }

  /** Records that the state has a resource with this URN. */
  mention(urn: string | undefined): void {
    if (urn) this.#urns.add(urn);
  }

  /** Whether the state has a resource with this URN, as far as calls of the engine have told. */
  hasResource(urn: string | undefined): boolean {
    return urn !== undefined && this.#urns.has(urn);
  }

  /** Records the state of a resource. */
  see(object: string, by: Claimant): void {
    this.mention(by.urn);
    // Its check looked like that of a new resource: the engine sends empty inputs as none.
    this.#wishes.delete(by.urn);
    const entry = this.#entry(object);
    const known = entry.seen ?? entry.written;
    // A state without a claim tells less than what is known of the same resource.
    if (by.claim || !known || !isMaybeSame(known, by)) entry.seen = by;
  }

  /** Records that a new resource is to take over one of these objects, and does not have it yet. */
  want(objects: readonly string[], { urn, claim }: Claimant): void {
    const wished = this.#wishes.get(urn) ?? new Set();
    this.#wishes.set(urn, wished);
    for (const object of objects) {
      wished.add(object);
      const entry = this.#entries.get(object);
      if (entry && claim && entry.written?.claim === claim)
        entry.written = undefined;
    }
  }

  /** Records IDs of objects that an environment of the program is to take along. Answers those that a resource has. */
  condemn(ids: readonly string[]): string[] {
    for (const id of ids) this.#condemned.add(id);
    return ids.filter((id) => this.#held("take", id, {}));
  }

  /** Gives an object to a new resource, unless another one has it. */
  take(object: string, by: Claimant): Others {
    const held = this.#held("take", object, { urn: by.urn });
    const others = held ?? this.#unheld(object);
    if (others === "nobody") this.write(object, by);
    return others;
  }

  /** Records that a create or an update of this run gave the object to a resource. */
  write(object: string, by: Claimant): void {
    this.#entries.set(object, { written: by });
    this.#wishes.delete(by.urn);
  }

  /** Forgets an object that was deleted. */
  forget(object: string): void {
    this.#entries.delete(object);
  }

  /** How other resources have an object, or want it or its title, as far as the run knows. */
  others(
    operation: OwnershipOperation,
    object: string,
    self: Claimant,
    title = object,
  ): Others {
    const isWanted = [...this.#wishes].some(
      ([urn, wished]) =>
        (wished.has(object) || wished.has(title)) &&
        // What exists once would be given back before its replacement has it.
        (operation === "give back" || urn === undefined || urn !== self.urn),
    );
    return (
      this.#held(operation, object, self) ??
      (isWanted ? "wanted" : this.#unheld(object))
    );
  }

  #held(
    operation: OwnershipOperation,
    object: string,
    self: Claimant,
  ): Others | undefined {
    const { written, seen } = this.#entries.get(object) ?? {};
    const isOther = (one: Claimant) => {
      if (operation === "take") return !self.urn || one.urn !== self.urn;
      if (operation === "update") return !isMaybeSame(one, self);
      return one.claim !== self.claim;
    };
    const isLacking = ({ hasOnceShown }: Claimant) =>
      operation === "delete" && self.hasOnceShown && hasOnceShown === false;
    if (written && isOther(written))
      return isLacking(written) ? "lacking" : "written";
    if (!this.#hasProgram || !seen || !isOther(seen)) return undefined;
    if (!isLater(seen.claim, self.claim)) return "seen";
    return isLacking(seen) ? "lacking" : "succeeded";
  }

  #unheld(object: string): Others {
    return this.#condemned.has(object) ? "condemned" : "nobody";
  }

  /** URN of the resource that this run gave an object to. */
  writer(object: string): string | undefined {
    return this.#entries.get(object)?.written?.urn;
  }

  /** Whether a resource of the program is known to have an object. */
  knows(object: string): boolean {
    return this.#entries.has(object);
  }

  #entry(object: string): Entry {
    const entry = this.#entries.get(object) ?? {};
    this.#entries.set(object, entry);
    return entry;
  }
}

/**
 * Whether two may be the same resource: by their claims, or by their URNs where one has
 * no claim yet.
 */
const isMaybeSame = (one: Claimant, other: Claimant) =>
  one.claim && other.claim
    ? one.claim === other.claim
    : !one.urn || !other.urn || one.urn === other.urn;

/** A new claim: a random text that begins with the time (a UUID of version 7). */
export function newClaim(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Whether a claim was made after another one; unknown claims, and those of old versions, were not. */
function isLater(one = "", other = ""): boolean {
  const haveTimes = one[14] === "7" && other[14] === "7";
  return haveTimes && one.slice(0, 13) > other.slice(0, 13);
}
