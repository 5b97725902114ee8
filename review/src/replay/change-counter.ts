import { originOf, type Event } from "@devid/sdk";
import { FrequentValues } from "./frequent-values";
import type { Attribute, Change, TopValue } from "./impact";

/** In UTF-16 units: longer values are counted by their beginnings. */
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
  return Buffer.from(text.slice(0, LONGEST_VALUE)).toString();
}

/** Most values of an attribute. */
export const MOST_TOP_VALUES = 10;
/** Most examples of an outcome. */
export const MOST_EXAMPLES = 5;

/** Counts what events with the same outcome have in common, in bounded memory. */
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
      .top(MOST_TOP_VALUES)
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

/** Events of the same time are ordered by ID, so that the result is always the same. */
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
