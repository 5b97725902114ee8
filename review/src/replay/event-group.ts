import type { Event } from "@devid/sdk";
import {
  eventAsRuleRequest,
  type PartialRuleRequest,
} from "@devid/rules/language";

/**
 * Past events that no rule tells apart. An event of the API is a group of one; a
 * warehouse has groups of many.
 */
export interface EventGroup extends CountedEvents {
  /** What rules read of each of the events. */
  readonly request: PartialRuleRequest;
  /** The value that all of them have for a label; undefined if they have none. */
  readonly label?: string;
  /** Whether they have different values of the label, none of them a frequent one. */
  readonly hasOtherLabels?: boolean;
}

/** A number of past events, and their times. */
export interface CountedEvents {
  readonly events: number;
  /** Time of the first and of the last of these events, Unix milliseconds. */
  readonly first: number;
  readonly last: number;
}

/**
 * The group of a single event.
 * @param notSent the headers that count as missing if the event lacks them
 * @param by a label: a member of events, such as `tags.suspect`
 */
export function groupOf(
  event: Event,
  notSent: ReadonlySet<string>,
  by?: string,
): EventGroup {
  const { timestamp } = event;
  return {
    request: { ...eventAsRuleRequest(event), notSent },
    events: 1,
    first: timestamp,
    last: timestamp,
    ...(by !== undefined && { label: labelOf(event, by) }),
  };
}

/**
 * The value that an event has for a label, as text: `tags.suspect` is the member
 * `suspect` of its member `tags`. Undefined if it has none, or an object.
 */
function labelOf(event: Event, by: string): string | undefined {
  let value: unknown = event;
  for (const name of by.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return ["string", "boolean", "number"].includes(typeof value)
    ? String(value)
    : undefined;
}
