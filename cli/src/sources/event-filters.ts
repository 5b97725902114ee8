import { camelPath, type Client, type EventSearchAllArgs } from "@devid/sdk";
import { EVENT_FILTERS, type SearchParameter } from "@devid/sdk/wire/events";
import { noTimeBetween } from "../flags/shared-flags";
import { environmentPlace, liveOf } from "./live-rules";
import {
  choiceFlag,
  type Flag,
  parsedFlag,
  textFlag,
} from "../flags/define-command";
import {
  booleanFlag,
  momentFlag,
  numberFlag,
  repeatedFlag,
} from "../flags/flag-values";

/**
 * The flags that choose events, as commander parses them: the filters of a
 * search, with `since` and `until` for `start` and `end`.
 */
export type EventFilterFlags = Omit<
  EventSearchAllArgs,
  "limit" | "paginationKey" | "reverse" | "start" | "end" | "environment"
> & {
  readonly since?: Date;
  readonly until?: Date;
  /** IDs or names of environments. */
  readonly environment?: readonly string[];
};

/** The filters of a search, with times in Unix milliseconds. */
export type EventFilters = Omit<EventSearchAllArgs, "start" | "end"> & {
  readonly start?: number;
  readonly end?: number;
};

const { start: START, end: END, ...OTHERS } = EVENT_FILTERS;

/** The other filters, by their names in the client: `ipAddress` for `ip_address`. */
const FILTERS: Readonly<Record<string, SearchParameter>> = Object.fromEntries(
  Object.entries<SearchParameter>(OTHERS).map(([name, parameter]) => [
    camelPath(name),
    parameter,
  ]),
);

/** A flag for every filter of an event search, and `--since` and `--until`. */
export const EVENT_FILTER_FLAGS = {
  ...Object.fromEntries(
    Object.entries(FILTERS).map(([name, parameter]) => [
      name,
      flagOf(name, parameter),
    ]),
  ),
  since: flagOf("since", START),
  until: flagOf("until", END),
} as unknown as {
  readonly [Name in keyof EventFilterFlags]-?: Flag<EventFilterFlags[Name]>;
};

/**
 * Converts flags to the filters of a search. Names of environments are looked
 * up with the management key.
 * @throws UsageError for an unknown environment; the errors of the client
 */
export async function eventFilters(
  flags: EventFilterFlags,
  client: Client,
): Promise<EventFilters> {
  const { since: start, until: end, environment, ...filters } = flags;
  const last = end ?? new Date();
  if (start && start > last) throw noTimeBetween(start, last);
  const live = liveOf(client);
  const idOf = async (one: string) =>
    (await environmentPlace(live, one)).id ?? one;
  return {
    ...Object.fromEntries(
      Object.entries(filters).filter(([name]) => Object.hasOwn(FILTERS, name)),
    ),
    environment: environment && (await Promise.all(environment.map(idOf))),
    start: start?.getTime(),
    end: end?.getTime(),
  };
}

function flagOf(name: string, parameter: SearchParameter): Flag<unknown> {
  const { kind, matches } = parameter;
  const helpOf = (value: string) => `<${value}> ${matches}` as const;
  switch (kind) {
    case "text":
    case "ip":
      return textFlag(helpOf(kind));
    case "boolean":
      return parsedFlag(helpOf("true|false"), booleanFlag);
    case "enum":
      return choiceFlag(helpOf("value"), parameter.values);
    case "repeated": {
      const form = name === "environment" ? "id|name" : "value";
      return parsedFlag(helpOf(form), repeatedFlag);
    }
    case "number":
    case "integer":
      return parsedFlag(helpOf("number"), numberFlag);
    case "time":
      return parsedFlag(helpOf("time"), momentFlag);
  }
}
