import { orMissing } from "./or-missing";
import { ReadCount } from "./read-count";

/** How long a list answers reads after it was complete, in ms. */
const KEPT_MS = 10_000;

/** Objects of the service that can be listed and, as a rule, read one by one. */
export interface Readable<R extends { readonly id: string }> {
  listAll(): AsyncIterable<R>;
  /** Absent where the service has no such call. */
  get?(id: string): Promise<R>;
}

interface List {
  readonly records: Promise<ReadonlyMap<string, unknown>>;
  /** By the clock of `performance.now()`. */
  goodUntil: number;
}

/**
 * Reads objects, of any kind. Few are read by ID; for more, one list of their
 * kind is read and answers them all, those that come while it is under way,
 * too. Lists are dropped by any write, and after 10 s. A list that failed, or
 * was read in part, is never kept: who waited for it reads by ID.
 */
export class ListSnapshot {
  #lists = new WeakMap<object, List>();
  readonly #reads = new ReadCount();

  /**
   * The object with this ID, undefined when it is gone. An object that the
   * list lacks, or of which it does not show all that is needed, is read by ID
   * (docs/assumptions.md, A140).
   */
  async find<R extends { readonly id: string }>(
    collection: Readable<R>,
    id: string,
    isWhole: (listed: R) => boolean = () => true,
  ): Promise<R | undefined> {
    const areFew = await this.#reads.add();
    if (areFew && collection.get) return orMissing(collection.get(id));
    const listed = await this.#listed(collection, id);
    if (!collection.get || (listed && isWhole(listed))) return listed;
    return orMissing(collection.get(id));
  }

  /**
   * What belongs to one thing, for example the rules of an environment: asked
   * for by itself where there are few reads, else found in a list of all.
   */
  async part<R extends { readonly id: string }>(
    collection: Readable<R>,
    one: () => Promise<readonly R[]>,
    isPart: (record: R) => boolean,
  ): Promise<readonly R[]> {
    if (await this.#reads.add()) return one();
    const all = await this.all(collection);
    return [...all.values()].filter(isPart);
  }

  /** All objects of a kind, by their IDs. */
  all<R extends { readonly id: string }>(
    collection: Readable<R>,
  ): Promise<ReadonlyMap<string, R>> {
    return this.#current(collection).records as Promise<ReadonlyMap<string, R>>;
  }

  /** Forgets every list, one under way included: something was written. */
  drop(): void {
    this.#lists = new WeakMap();
    this.#reads.reset();
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

/** Whether a listed record shows these fields, or a state lacks them, too. */
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
