import { camelPath, type Event, type EventSearchAllArgs } from "@devid/sdk";
import { parameterSchema } from "@devid/sdk/wire";
import {
  EVENT_FILTERS,
  EVENT_PAGE_PARAMETERS,
  EventRecord,
  type SearchParameter,
} from "@devid/sdk/wire/events";
import { z } from "zod";
import { defineFunction, named } from "../definition/define-function";

const DEFAULT_MAX_EVENTS = 100;
const LARGEST_MAX_EVENTS = 10_000;
const PAGE_SIZE = 100;

const EventResult = named(
  "Event",
  z.looseObject(EventRecord.shape),
  "@devid/sdk",
).describe("An identification event, in the service's own form.");

/** One event (docs/contract.md, "GET /events/{event_id}"). */
export const getEvent = defineFunction({
  name: "getEvent",
  description:
    "One identification event, in the service's own form; with a ruleset, its verdict is in `rule_action`.",
  throws: "EventNotFoundError, RulesetNotFoundError",
  args: z.strictObject({
    eventId: z
      .string()
      .describe("ID of the event; a `request_id` of version 3 is one, too."),
    rulesetId: z
      .string()
      .optional()
      .describe(
        "A ruleset of the dashboard; its verdict is in the event's `rule_action`.",
      ),
  }),
  result: EventResult,
  run: ({ client, args: { eventId, rulesetId }, signal }) =>
    client.events.get(eventId, { rulesetId, signal }),
});

const { reverse, total_hits } = EVENT_PAGE_PARAMETERS;

/** The parameters of a search as arguments, with their names in camelCase. */
const filters = Object.fromEntries(
  Object.entries({ ...EVENT_FILTERS, reverse, total_hits }).map(
    ([name, parameter]) => [
      camelPath(name),
      parameterSchema(parameter).optional().describe(inWords(name, parameter)),
    ],
  ),
);

const wholeNumber = `must be a whole number from 1 to ${LARGEST_MAX_EVENTS}`;

/** Events that match (docs/contract.md, "GET /events"). */
export const getEvents = defineFunction({
  name: "getEvents",
  description:
    "Identification events that match, of the last 7 days unless `start` says otherwise. A secret key of one environment finds only the events of that environment, so an empty result may mean that the key belongs to another environment.",
  throws: "InvalidInputError naming the argument, SearchTimeoutError",
  args: z.strictObject({
    ...filters,
    maxEvents: z
      .int(wholeNumber)
      .min(1, wholeNumber)
      .max(LARGEST_MAX_EVENTS, wholeNumber)
      .default(DEFAULT_MAX_EVENTS)
      .describe("Largest number of events to return, 1 to 10000."),
  }),
  result: named(
    "GetEventsResult",
    z
      .object({
        events: z
          .array(EventResult)
          .describe("The newest first, or the oldest with `reverse`."),
        hasMore: z
          .boolean()
          .describe("Whether more events match than `maxEvents`."),
        totalHits: z
          .number()
          .optional()
          .describe(
            "How many events match, counted up to the argument `totalHits`; absent without it.",
          ),
      })
      .describe("What `getEvents` answers."),
  ),
  async run({ client, args, signal }) {
    const { maxEvents, totalHits, ...found } = args as EventSearchAllArgs & {
      readonly maxEvents: number;
      readonly totalHits?: number;
    };
    // One event more than wanted shows whether there are more.
    const limit = Math.min(PAGE_SIZE, maxEvents + 1);
    const search = { ...found, limit };
    const first = await client.events.search(
      { ...search, totalHits },
      { signal },
    );
    const events: Event[] = [...first.events];
    const { paginationKey } = first;
    if (paginationKey && events.length <= maxEvents) {
      const options = { signal, prefetch: maxEvents - events.length >= limit };
      const rest = { ...search, paginationKey };
      for await (const event of client.events.searchAll(rest, options)) {
        events.push(event);
        if (events.length > maxEvents) break;
      }
    }
    return {
      events: events.slice(0, maxEvents),
      hasMore: events.length > maxEvents,
      ...(first.totalHits !== undefined && { totalHits: first.totalHits }),
    };
  },
});

/** The description of a parameter as a sentence, with the names of fields in code spans. */
function inWords(name: string, { matches, fields = [] }: SearchParameter) {
  const paths = new Set([name, ...fields]);
  const quoted = matches.split(" ").map((word, index, words) => {
    const path = word.replace(/[,:;]$/, "");
    const isPath =
      paths.has(path) && (index === 0 || words[index - 1] === "or");
    return isPath ? word.replace(path, `\`${path}\``) : word;
  });
  const text = quoted.join(" ");
  return `${text.replace(/^[a-z]/, (letter) => letter.toUpperCase())}.`;
}
