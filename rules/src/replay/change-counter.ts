import type { Event } from "@devid/sdk";
import { ATTRIBUTES } from "./event-attributes";
import { FrequentValues } from "./frequent-values";
import type { Attribute, Change, TopValue } from "./impact";

const MOST_VALUES = 10;
const MOST_EXAMPLES = 5;

/** Collects what the events of a change have in common, in bounded memory. */
export class ChangeCounter {
  #events = 0;
  #bots = 0;
  #badBots = 0;
  #scored = 0;
  #suspect = 0;
  readonly #values = mapAttributes(() => new FrequentValues());
  /** The newest first. */
  readonly #examples: Event[] = [];

  constructor(private readonly suspectThreshold: number) {}

  add(event: Event): void {
    const { bot, suspect_score: score } = event;
    this.#events += 1;
    if (bot === "bad") this.#badBots += 1;
    if (bot === "bad" || bot === "good") this.#bots += 1;
    if (typeof score === "number") {
      this.#scored += 1;
      if (score > this.suspectThreshold) this.#suspect += 1;
    }
    for (const attribute of NAMES)
      this.#values[attribute].add(ATTRIBUTES[attribute](event));
    this.#keepExample(event);
  }

  change(): Change {
    return {
      events: this.#events,
      top: mapAttributes((attribute) => this.#top(attribute)),
      badBots: this.#badBots,
      bots: this.#bots,
      suspect: { events: this.#suspect, scored: this.#scored },
      examples: this.#examples.map(({ event_id: id }) => id),
    };
  }

  #top(attribute: Attribute): TopValue[] {
    return this.#values[attribute]
      .top(MOST_VALUES)
      .map(({ value, events, missed }) => ({
        ...(value !== undefined && { value }),
        events,
        ...(missed > 0 && { atMost: Math.min(events + missed, this.#events) }),
      }));
  }

  #keepExample(event: Event): void {
    const examples = this.#examples;
    const oldest = examples.at(-1);
    if (examples.length === MOST_EXAMPLES && oldest && isNewer(oldest, event))
      return;
    const at = examples.findIndex((other) => isNewer(event, other));
    examples.splice(at === -1 ? examples.length : at, 0, {
      event_id: event.event_id,
      timestamp: event.timestamp,
    });
    examples.length = Math.min(examples.length, MOST_EXAMPLES);
  }
}

/** Of events of the same time, any order that is always the same. */
function isNewer(one: Event, other: Event): boolean {
  return one.timestamp === other.timestamp
    ? one.event_id < other.event_id
    : one.timestamp > other.timestamp;
}

const NAMES = Object.keys(ATTRIBUTES) as Attribute[];

function mapAttributes<T>(
  make: (attribute: Attribute) => T,
): Record<Attribute, T> {
  const entries = NAMES.map((name) => [name, make(name)] as const);
  return Object.fromEntries(entries) as Record<Attribute, T>;
}
