import type { Client, EventSearchAllArgs } from "@devid/sdk";
import { EVENT_FILTERS, type SearchParameter } from "@devid/sdk/wire/events";
import { Option, type Command } from "commander";
import { environmentPlace } from "../sources/live-rules";
import { booleanFlag, momentFlag, numberFlag } from "./flag-values";
import { environmentOption } from "./shared-options";

/**
 * The flags that choose events, as commander parses them: the filters of a
 * search, and `since` and `until` as other names of `start` and `end`.
 */
export type EventFilterFlags = Omit<
  EventSearchAllArgs,
  "limit" | "paginationKey" | "reverse" | "start" | "end" | "environment"
> & {
  readonly start?: string;
  readonly since?: string;
  readonly end?: string;
  readonly until?: string;
  /** IDs or names of environments. */
  readonly environment?: readonly string[];
};

/** The filters of a search, with times in Unix milliseconds. */
export type EventFilters = Omit<EventSearchAllArgs, "start" | "end"> & {
  readonly start?: number;
  readonly end?: number;
};

/**
 * Adds a flag for every filter of an event search, and `--since` and `--until`.
 */
export function addEventFilters(command: Command): Command {
  for (const [name, parameter] of Object.entries<SearchParameter>(
    EVENT_FILTERS,
  ))
    command.addOption(optionOf(name.replaceAll("_", "-"), parameter));
  return command
    .addOption(timeOption("since", "the same as --start").conflicts("start"))
    .addOption(timeOption("until", "the same as --end").conflicts("end"));
}

/**
 * Converts flags to the filters of a search. Names of environments are looked
 * up with the management key.
 * @throws UsageError for an unknown environment; the errors of the client
 */
export async function eventFilters(
  flags: EventFilterFlags,
  client: Client,
): Promise<EventFilters> {
  const names = new Set(
    Object.keys(EVENT_FILTERS).map((name) =>
      name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    ),
  );
  const { since, start = since, until, end = until, ...given } = flags;
  const { environment, ...filters } = given;
  return {
    ...Object.fromEntries(
      Object.entries(filters).filter(([name]) => names.has(name)),
    ),
    ...(environment && { environment: await idsOf(environment, client) }),
    ...(start !== undefined && { start: momentFlag(start).getTime() }),
    ...(end !== undefined && { end: momentFlag(end).getTime() }),
  };
}

function idsOf(
  environments: readonly string[],
  client: Client,
): Promise<string[]> {
  return Promise.all(
    environments.map(
      async (one) => (await environmentPlace(client, one)).id ?? one,
    ),
  );
}

function optionOf(flag: string, parameter: SearchParameter): Option {
  const { matches, kind } = parameter;
  const option = (value: string) => new Option(`--${flag} <${value}>`, matches);
  switch (kind) {
    case "text":
    case "ip":
      return option(kind);
    case "boolean":
      return option("true|false").argParser(booleanFlag);
    case "enum":
      return option("value").choices(parameter.values);
    case "repeated":
      return (
        flag === "environment" ? environmentOption(matches) : option("value")
      )
        .argParser((value, before: string[] = []) => [...before, value])
        .default(undefined);
    case "number":
    case "integer":
      return option("number").argParser(numberFlag);
    case "time":
      return timeOption(flag, matches);
  }
}

/** Makes a flag for a time, which keeps the text as the user typed it. */
function timeOption(flag: string, words: string): Option {
  return new Option(`--${flag} <time>`, words).argParser((text) => {
    momentFlag(text);
    return text;
  });
}
