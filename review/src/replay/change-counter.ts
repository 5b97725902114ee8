import { originOf, type Event } from "@devid/sdk";
import { FrequentValues } from "./frequent-values";
import type { Attribute, Change, TopValue } from "./impact";

/** In characters: longer values are counted by their beginnings. */
export const LONGEST_VALUE = 512;

/** The attributes that events are counted by, and how each is read from an event. */
export const ATTRIBUTES: Readonly<
  Record<Attribute, (event: Event) => string | undefined>
> = {
  origin: (event) => countedStart(originOf(event)),
  country: ({ ip_info: info }) =>
    countedStart(
      info?.v4?.geolocation?.country_code ??
        info?.v6?.geolocation?.country_code,
    ),
  asn: ({ ip_info: info }) => {
    const network = typeof info?.v4?.asn === "string" ? info.v4 : info?.v6;
    return countedStart(
      network?.asn && [network.asn, network.asn_name].filter(Boolean).join(" "),
    );
  },
  userAgent: ({ user_agent: userAgent }) => countedStart(userAgent),
  linkedId: ({ linked_id: linkedId }) => countedStart(linkedId),
};

/** The beginning by which a value is counted. It is a copy, so that the long text can be freed. */
export function countedStart(
  text: string | null | undefined,
): string | undefined {
  if (typeof text !== "string") return undefined;
  if (text.length <= LONGEST_VALUE) return text;
  // A character may take two units of UTF-16.
  const start = [...text.slice(0, 2 * LONGEST_VALUE)].slice(0, LONGEST_VALUE);
  return Buffer.from(start.join("")).toString();
}

/** Most values of an attribute. */
export const MOST_TOP_VALUES = 10;
/** Most examples of an outcome. */
export const MOST_EXAMPLES = 5;

/** An event counts as suspect when its score is above it. */
export const SUSPECT_THRESHOLD = 10;

const TOTALS = ["events", "badBots", "bots", "scored", "suspect"] as const;
/** Numbers of events: all, with a bad or any bot, with a score, and with one above the threshold. */
export type Totals = Readonly<Record<(typeof TOTALS)[number], number>>;

type Example = Pick<Event, "event_id" | "timestamp">;

/** Counts what events with the same outcome have in common, in bounded memory. */
export class ChangeCounter {
  readonly #totals = { events: 0, badBots: 0, bots: 0, scored: 0, suspect: 0 };
  readonly #values = mapAttributes(() => new FrequentValues());
  /** The newest first. */
  readonly #examples: Example[] = [];

  add(event: Event): void {
    const { bot, suspect_score: score } = event;
    const isScored = typeof score === "number";
    this.addTotals({
      events: 1,
      badBots: Number(bot === "bad"),
      bots: Number(bot === "bad" || bot === "good"),
      scored: Number(isScored),
      suspect: Number(isScored && score > SUSPECT_THRESHOLD),
    });
    for (const attribute of NAMES)
      this.addValue(attribute, ATTRIBUTES[attribute](event), 1);
    this.addExample(event);
  }

  addTotals(totals: Totals): void {
    for (const name of TOTALS) this.#totals[name] += totals[name];
  }

  /** Counts events that have a value, of at most `LONGEST_VALUE` characters. */
  addValue(
    attribute: Attribute,
    value: string | undefined,
    events: number,
  ): void {
    this.#values[attribute].add(value, events);
  }

  change(): Change {
    const { events, badBots, bots, scored, suspect } = this.#totals;
    return {
      events,
      top: mapAttributes((attribute) => this.#top(attribute)),
      badBots,
      bots,
      suspect: { events: suspect, scored },
      examples: this.#examples.map(({ event_id: id }) => id),
    };
  }

  #top(attribute: Attribute): TopValue[] {
    return this.#values[attribute]
      .top(MOST_TOP_VALUES)
      .map(({ value, events, missed }) => ({
        ...(value !== undefined && { value }),
        events,
        ...(missed > 0 && {
          atMost: Math.min(events + missed, this.#totals.events),
        }),
      }));
  }

  addExample(event: Example): void {
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

/** Events of the same time are ordered by ID, so that the result is always the same. */
function isNewer(one: Example, other: Example): boolean {
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
