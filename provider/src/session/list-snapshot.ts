import { NotFoundError } from "@devid/sdk";
import { ContradictionError } from "./answers";
import { setImmediate as nextTurn } from "node:timers/promises";

/** How long a complete list answers reads, in ms. */
const KEPT_MS = 10_000;

/** Objects of the service that can be listed and, as a rule, read one by one. */
export interface Readable<R extends { readonly id: string }> {
  listAll(): AsyncIterable<R>;
  /** Absent where the service cannot read one object by its ID. */
  get?(id: string): Promise<R>;
}

/** The most reads that count as few. */
const FEW = 3;

interface List {
  readonly records: Promise<ReadonlyMap<string, unknown>>;
  /** Measured by the clock of `performance.now()`. */
  goodUntil: number;
}

/**
 * Reads objects of every kind with few calls. Up to three objects are read by
 * their IDs. For more, one list of their kind answers all reads, including those
 * that arrive while the list is being read. A list is dropped after any write, and
 * after 10 s. A list that failed or broke off is not kept: the reads that waited
 * for it go by ID.
 */
export class ListSnapshot {
  #lists = new WeakMap<object, List>();
  /** The reads since the last write of the session, of every kind. */
  #reads = 0;

  /**
   * The object with this ID, or undefined when it is gone. An object is read by ID
   * if the list lacks it, or if `isWhole` says that the list does not show all of
   * it (docs/assumptions.md, A140). It counts as gone only if the list lacks it, too:
   * a 404 alone may be that of another server (A6).
   * @throws ContradictionError if the list still has an object that a read by ID lacks
   */
  async find<R extends { readonly id: string }>(
    collection: Readable<R>,
    id: string,
    isWhole: (listed: R) => boolean = () => true,
  ): Promise<R | undefined> {
    const areFew = await this.#areFew();
    if (!areFew || !collection.get) {
      const listed = await this.#listed(collection, id);
      if (!collection.get || (listed && isWhole(listed))) return listed;
    }
    try {
      return await collection.get(id);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      if (await this.#isListed(collection, id))
        throw new ContradictionError(error, `the list has ${id}`);
      return undefined;
    }
  }

  /**
   * The objects that belong together, for example the rules of one environment. Up to
   * three reads call `one`. More reads filter a list of all objects.
   */
  async part<R extends { readonly id: string }>(
    collection: Readable<R>,
    one: () => Promise<readonly R[]>,
    isPart: (record: R) => boolean,
  ): Promise<readonly R[]> {
    if (await this.#areFew()) return one();
    const all = await this.all(collection);
    return [...all.values()].filter(isPart);
  }

  /** All objects of a kind by their IDs, as one list has them. */
  all<R extends { readonly id: string }>(
    collection: Readable<R>,
  ): Promise<ReadonlyMap<string, R>> {
    return this.#current(collection).records as Promise<ReadonlyMap<string, R>>;
  }

  /** Forgets every list after a write, also a list that is still being read. */
  drop(): void {
    this.#lists = new WeakMap();
    this.#reads = 0;
  }

  /**
   * Counts a read, and distinguishes a few single reads from a large refresh. The engine
   * does not say how many reads will follow, so the reads that arrive in one turn of the
   * event loop are counted together.
   */
  async #areFew(): Promise<boolean> {
    this.#reads += 1;
    await nextTurn();
    return this.#reads <= FEW;
  }

  /** Whether the list has an object. A kept list may have one that was deleted since. */
  async #isListed(
    collection: Readable<{ readonly id: string }>,
    id: string,
  ): Promise<boolean> {
    if (!(await this.all(collection)).has(id)) return false;
    this.#lists.delete(collection);
    return (await this.all(collection)).has(id);
  }

  async #listed<R extends { readonly id: string }>(
    collection: Readable<R>,
    id: string,
  ): Promise<R | undefined> {
    try {
      return (await this.all(collection)).get(id);
    } catch (error) {
      if (collection.get) return undefined;
      throw error;
    }
  }

  #current(collection: Readable<{ readonly id: string }>): List {
    const lists = this.#lists;
    const kept = lists.get(collection);
    if (kept && performance.now() < kept.goodUntil) return kept;
    const list: List = { records: readAll(collection), goodUntil: Infinity };
    lists.set(collection, list);
    list.records.then(
      () => (list.goodUntil = performance.now() + KEPT_MS),
      () => lists.delete(collection),
    );
    return list;
  }
}

/** Whether a listed record has every one of these fields that the last state has. */
export function shows<T extends object>(
  fields: readonly (keyof T)[],
  listed: T,
  last: { readonly [field in keyof T]?: unknown } | undefined,
): boolean {
  return fields.every(
    (field) =>
      (listed[field] ?? undefined) !== undefined ||
      (last !== undefined && last[field] === undefined),
  );
}

async function readAll(
  collection: Readable<{ readonly id: string }>,
): Promise<ReadonlyMap<string, unknown>> {
  const records = new Map<string, unknown>();
  for await (const record of collection.listAll())
    records.set(record.id, record);
  return records;
}
