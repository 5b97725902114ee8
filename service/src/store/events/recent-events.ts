import type { Region } from "@devid/sdk";
import type { Database } from "../database/database";

/**
 * The columns by which past events are found, each with its index, which begins with the
 * segment.
 */
const INDEX_OF = {
  identification_visitor_id: "events_by_visitor",
  ip_address: "events_by_ip_address",
  linked_id: "events_by_linked_id",
} as const;

/** A column by which past events are found. */
export type Trait = keyof typeof INDEX_OF;

const TRAITS = Object.keys(INDEX_OF) as Trait[];

/** The values that are read from a past event. `ipKey` has made the text of the address. */
export type NewestEvent = { readonly timestamp: number } & Readonly<
  Record<Trait, string | null>
>;

/**
 * Events, the oldest first, as one list for each member. The n-th entry of every list
 * belongs to the n-th event. One object for each event would take several times the
 * memory.
 */
export type EventLists = {
  readonly [Member in keyof NewestEvent]: readonly NewestEvent[Member][];
};

/**
 * Most events that are counted for one value of a trait, the event of the visit
 * included. Without a bound, a busy address would slow down identifications
 * (docs/assumptions.md, A163).
 */
const MOST_OF_A_VALUE = 1_000;

/**
 * Most events that are kept for all values together, about 6 MB. A value itself counts
 * as `VALUE_AS_EVENTS` events.
 */
const MOST = 250_000;
const VALUE_AS_EVENTS = 16;

/**
 * How many segments are searched: those of the last million events of all
 * workspaces.
 */
const MOST_SEGMENTS = 64;

/**
 * The last events with a value of a trait, for the values that were used most recently.
 * Each visit counts the events of its address. Reading the many events of a busy
 * address from the database took most of the time of an identification.
 */
export class RecentEvents {
  /** The value that was used most recently is the last entry. */
  private readonly byValue = new Map<string, KeptEvents>();
  private size = 0;

  constructor(private readonly db: Database) {
    db.onRollback(() => this.forget());
  }

  /** The last events with this value, at most 999. */
  newest(workspace: Region, trait: Trait, value: string): EventLists {
    const key = keyOf(workspace, trait, value);
    const known = this.byValue.get(key);
    if (known) {
      this.byValue.delete(key);
      this.byValue.set(key, known);
      return known;
    }
    const kept = new KeptEvents();
    for (const event of this.read(workspace, trait, value).reverse())
      kept.add(event);
    this.byValue.set(key, kept);
    this.size += kept.length + VALUE_AS_EVENTS;
    this.dropOld();
    return kept;
  }

  /**
   * Reads the last events with this value, the newest first. Only recent segments are
   * searched, so the work is bounded in a database of any size.
   */
  private read(workspace: Region, trait: Trait, value: string): NewestEvent[] {
    const last = this.db.value<number>(
      "SELECT segment FROM events ORDER BY seq DESC LIMIT 1",
    );
    const found: NewestEvent[] = [];
    if (last === undefined) return found;
    const first = Math.max(0, last - MOST_SEGMENTS + 1);
    const most = MOST_OF_A_VALUE - 1;
    for (let segment = last; segment >= first; segment--) {
      // SQLite joins the rows to one text. Fetching a row for each event takes four times
      // as long.
      const events = this.db.value<string>(
        `SELECT json_group_array(json_object('timestamp', timestamp,
                  ${TRAITS.map((name) => `'${name}', ${name}`).join()}))
           FROM (SELECT * FROM events INDEXED BY ${INDEX_OF[trait]}
                  WHERE segment = ? AND ${trait} = ? AND workspace = ?
                  ORDER BY seq DESC LIMIT ?)`,
        segment,
        value,
        workspace,
        most - found.length,
      );
      found.push(...(JSON.parse(events ?? "[]") as NewestEvent[]));
      if (found.length >= most) break;
    }
    return found;
  }

  /** Adds an event that was stored. */
  add(workspace: Region, event: NewestEvent): void {
    if (this.byValue.size === 0) return;
    for (const trait of TRAITS) {
      const { [trait]: value } = event;
      const known =
        value === null
          ? undefined
          : this.byValue.get(keyOf(workspace, trait, value));
      if (!known) continue;
      known.add(event);
      this.size++;
      if (known.length < MOST_OF_A_VALUE) continue;
      known.dropFirst();
      this.size--;
    }
    this.dropOld();
  }

  /** Forgets everything, because events were changed or deleted. */
  forget(): void {
    this.byValue.clear();
    this.size = 0;
  }

  private dropOld(): void {
    for (const [key, { length }] of this.byValue) {
      if (this.size <= MOST) return;
      this.byValue.delete(key);
      this.size -= length + VALUE_AS_EVENTS;
    }
  }
}

class KeptEvents implements EventLists {
  readonly timestamp: number[] = [];
  readonly identification_visitor_id: (string | null)[] = [];
  readonly ip_address: (string | null)[] = [];
  readonly linked_id: (string | null)[] = [];

  get length(): number {
    return this.timestamp.length;
  }

  add(event: NewestEvent): void {
    this.timestamp.push(event.timestamp);
    for (const trait of TRAITS) {
      const { [trait]: list } = this;
      const { [trait]: value } = event;
      const last = list.at(-1);
      // Equal texts share memory: the events of a visitor mostly have one address.
      list.push(value === last ? last : value);
    }
  }

  dropFirst(): void {
    this.timestamp.shift();
    for (const trait of TRAITS) this[trait].shift();
  }
}

function keyOf(workspace: Region, trait: Trait, value: string): string {
  return `${workspace} ${trait} ${value}`;
}
