import { randomUUID } from "node:crypto";
import type { OwnershipOperation, Others } from "./decisions";

/** A resource, as far as a call of the engine tells. */
export interface Claimant {
  /** The random text in its state; absent in a state of an old version, and before a create. */
  readonly claim?: string | undefined;
  /** Absent for a dynamic resource. */
  readonly urn?: string | undefined;
  /** Whether its state has every output that the service shows only once. */
  readonly hasOnceShown?: boolean;
  /** Whether it is to be created: a state under its URN is then what it replaces. */
  readonly isNew?: boolean;
}

/** An object: its kind, and its ID, or its environment where each has one of them. */
export interface Thing {
  readonly kind: string;
  readonly key: string;
}

/** What the run knows of one object. */
interface Entry {
  /** The resource that took it over, or changed it, in this run. */
  written?: Claimant | undefined;
  /** The resource whose state was seen with it. */
  seen?: Claimant | undefined;
}

/** A new resource of the program is to take over an object. */
interface Wish extends Pick<Claimant, "urn"> {
  readonly kind: string;
  /** The object, once it is found. */
  readonly key?: string | undefined;
  /** Names or addresses that the object may have. */
  readonly titles: readonly string[];
}

/**
 * What one run knows of the owners of objects: for each object the resource that has
 * it, and the evidence. Each create puts a random text into its state, the claim: two
 * states with the same object and different claims belong to two resources.
 *
 * What a create or an update of this run has written is certain. A state that was only
 * seen may be outdated, and a wish may stay unfulfilled: these can do no more than
 * refuse an operation. The one exception is a state that was seen in the program, and
 * whose claim is later: an interrupted run gave the object to it.
 */
export class Ledger<Home extends { readonly workspace: string }> {
  readonly #entries = new Map<string, Entry>();
  readonly #condemned = new Set<string>();
  readonly #urns = new Set<string>();
  readonly #workspaces = new Map<string, Thing & { owner: Home }>();
  #wishes: readonly Wish[] = [];
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

  /** Records that a new resource is to take over the object with this key, or with one of these titles. */
  want(
    kind: string,
    { urn }: Claimant,
    what: Pick<Wish, "key" | "titles">,
  ): void {
    this.#wishes = [...this.#wishes, { kind, urn, ...what }];
  }

  /**
   * Records IDs of objects that an environment of the program is to take along when it is
   * deleted. Answers those that a resource of the program has.
   */
  condemn(ids: readonly string[]): string[] {
    for (const id of ids) this.#condemned.add(id);
    return ids.filter((id) =>
      [...this.#entries].some(
        ([name, { written, seen }]) =>
          name.endsWith(` ${id}`) && (written ?? (this.#hasProgram && seen)),
      ),
    );
  }

  /** Records that the state has a resource with this URN. */
  mention(urn: string | undefined): void {
    if (urn) this.#urns.add(urn);
  }

  /** Records the state of a resource. */
  see(thing: Thing, by: Claimant, owner?: Home): void {
    if (owner) this.#workspaces.set(owner.workspace, { ...thing, owner });
    this.mention(by.urn);
    // Its check looked like that of a new resource: the engine sends empty inputs as none.
    if (by.urn) this.#wishes = this.#wishes.filter(({ urn }) => urn !== by.urn);
    const entry = this.#entry(thing);
    const known = entry.seen ?? entry.written;
    // A state without a claim tells less than what is known of the same resource.
    if (by.claim || !known || !isMaybeSame(known, by)) entry.seen = by;
  }

  /** Records that a create or an update of this run gave the object to a resource. */
  write(thing: Thing, by: Claimant): void {
    this.#entries.set(nameOf(thing), { written: by });
  }

  /** Gives an object to a new resource, unless another one has it. */
  take(thing: Thing, by: Claimant): Others {
    const holders = this.#holders(thing, { ...by, isNew: true });
    const others = this.#unlessCondemned(thing, holders);
    if (others === "nobody") this.write(thing, by);
    return others;
  }

  /** Forgets the wishes of a create that came to its end. */
  fulfil(thing: Thing, self: Claimant, titles: readonly string[]): void {
    this.#wishes = this.#wishes.filter(
      (wish) =>
        (wish.urn && wish.urn !== self.urn) ||
        !(
          fits(wish, thing) || titles.some((title) => fits(wish, thing, title))
        ),
    );
  }

  /** Records that a create could not take over the object after all. */
  giveUp(thing: Thing, { urn }: Claimant): void {
    this.#entry(thing).written = undefined;
    this.want(thing.kind, { urn }, { key: thing.key, titles: [] });
  }

  /** Forgets an object that was deleted. */
  forget(thing: Thing): void {
    this.#entries.delete(nameOf(thing));
  }

  /** How other resources have an object, or want it, as far as the run knows. */
  others(
    operation: OwnershipOperation,
    thing: Thing,
    self: Claimant,
    title?: string,
  ): Others {
    const holders = this.#holders(thing, self, operation === "update");
    const { written, seen } = this.#entries.get(nameOf(thing)) ?? {};
    const isLacking = (holder: Claimant | undefined) =>
      operation === "delete" &&
      self.hasOnceShown === true &&
      holder?.hasOnceShown === false;
    if (holders === "written") return isLacking(written) ? "lacking" : holders;
    const isLeaving = operation !== "take" && operation !== "update";
    const isWanted = this.#wishes.some(
      (wish) =>
        fits(wish, thing, title) &&
        // What exists once would be given back before its replacement has it.
        (operation === "give back" || !isAtUrn(wish, self)) &&
        // Without URNs, the one that wants it may be this very resource.
        (isLeaving || (wish.urn && self.urn)),
    );
    if (isWanted) return "wanted";
    if (holders === "seen" && isLater(seen?.claim, self.claim))
      return isLacking(seen) ? "lacking" : "succeeded";
    return this.#unlessCondemned(thing, holders);
  }

  #unlessCondemned({ key }: Thing, holders: Others): Others {
    const isCondemned = holders === "nobody" && this.#condemned.has(key);
    return isCondemned ? "condemned" : holders;
  }

  #holders(
    thing: Thing,
    self: Claimant,
    mayLackClaim = false,
  ): "nobody" | "seen" | "written" {
    const { written, seen } = this.#entries.get(nameOf(thing)) ?? {};
    const isOther = (one: Claimant | undefined) =>
      one !== undefined &&
      !isSame(one, self) &&
      // A state of an old version gets a claim while this very resource is updated.
      !(mayLackClaim && isMaybeSame(one, self));
    if (isOther(written)) return "written";
    return this.#hasProgram && isOther(seen) ? "seen" : "nobody";
  }

  /** URN of the resource that this run gave an object to. */
  writer(thing: Thing): string | undefined {
    return this.#entries.get(nameOf(thing))?.written?.urn;
  }

  /** Whether a resource of the program is known to have an object. */
  knows(thing: Thing): boolean {
    return this.#entries.has(nameOf(thing));
  }

  /** Whether the state has a resource with this URN, as far as calls of the engine have told. */
  hasResource(urn: string | undefined): boolean {
    return urn !== undefined && this.#urns.has(urn);
  }

  /** An object of each workspace that states name. */
  workspaces(): Iterable<Thing & { owner: Home }> {
    return this.#workspaces.values();
  }

  #entry(thing: Thing): Entry {
    const entry = this.#entries.get(nameOf(thing)) ?? {};
    this.#entries.set(nameOf(thing), entry);
    return entry;
  }
}

/** Objects of two kinds may share an ID: a rule set has the ID of its environment. */
const nameOf = ({ kind, key }: Thing) => `${kind} ${key}`;

const isAtUrn = (one: Claimant, { urn }: Claimant) =>
  Boolean(urn) && one.urn === urn;

const isSame = (one: Claimant, self: Claimant) =>
  self.isNew ? isAtUrn(one, self) : one.claim === self.claim;

const isMaybeSame = (one: Claimant, self: Claimant) =>
  (!one.claim || !self.claim) &&
  (!one.urn || !self.urn || one.urn === self.urn);

const fits = (wish: Wish, { kind, key }: Thing, title?: string) =>
  wish.kind === kind &&
  (wish.key === undefined
    ? title !== undefined && wish.titles.includes(title)
    : wish.key === key);

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
