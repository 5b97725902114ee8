import type { Region } from "@devid/sdk";
import type { Database } from "../database/database";
import { newestEvents, type NewestEvent, type Trait } from "./newest-events";

const TRAITS: readonly Trait[] = [
  "identification_visitor_id",
  "ip_address",
  "linked_id",
];

/**
 * How many events are counted of one value of a trait, the event of the visit included: a bound
 * keeps a busy address from slowing down identifications (docs/assumptions.md, A163).
 */
const MOST_OF_A_VALUE = 1_000;

/** How many are kept of all values together. */
const MOST = 20_000;

/**
 * The last events with a value of a trait, for the values that were asked for last.
 * A busy address has many events, and each visit counts them: reading them from the
 * database took most of the time of an identification.
 */
export class RecentEvents {
  /** The value that was asked for last stands last. */
  private readonly byValue = new Map<string, NewestEvent[]>();
  private size = 0;

  constructor(private readonly db: Database) {
    db.onRollback(() => this.forget());
  }

  /** The last events with this value, at most 999, the oldest first. */
  newest(
    workspace: Region,
    trait: Trait,
    value: string,
  ): readonly NewestEvent[] {
    const key = keyOf(workspace, trait, value);
    const known = this.byValue.get(key);
    if (known) {
      this.byValue.delete(key);
      this.byValue.set(key, known);
      return known;
    }
    const events = newestEvents(
      this.db,
      workspace,
      trait,
      value,
      MOST_OF_A_VALUE - 1,
    );
    events.reverse();
    this.byValue.set(key, events);
    this.size += events.length;
    this.dropOld();
    return events;
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
      known.push(event);
      this.size++;
      if (known.length < MOST_OF_A_VALUE) continue;
      known.shift();
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
    for (const [key, events] of this.byValue) {
      if (this.size <= MOST) return;
      this.byValue.delete(key);
      this.size -= events.length;
    }
  }
}

function keyOf(workspace: Region, trait: Trait, value: string): string {
  return `${workspace} ${trait} ${value}`;
}
