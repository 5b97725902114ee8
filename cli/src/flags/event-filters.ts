import type { EventSearchAllArgs } from "@devid/sdk";
import { EVENT_FILTERS, type SearchParameter } from "@devid/sdk/wire";
import { Option, type Command } from "commander";
import { booleanFlag, momentFlag, numberFlag } from "./flag-values";

/** Flags that choose events, as commander answers them: the filters of a search, and `since` in place of `start`. */
export type EventFilterFlags = Omit<
  EventSearchAllArgs,
  "limit" | "paginationKey" | "reverse" | "start" | "end"
> & { readonly start?: string; readonly end?: string; readonly since?: string };

/** Adds a flag for each filter of an event search, `--visitor-id` to `--source`, and `--since`. */
export function addEventFilters(command: Command): Command {
  for (const [name, parameter] of Object.entries<SearchParameter>(
    EVENT_FILTERS,
  ))
    command.addOption(optionOf(name.replaceAll("_", "-"), parameter));
  return command.addOption(
    new Option("--since <time>", "the same as --start")
      .argParser(timeFlag)
      .conflicts("start"),
  );
}

/** The filters of a search that the flags name. */
export function eventFilters(flags: EventFilterFlags): EventSearchAllArgs {
  const names = new Set(
    Object.keys(EVENT_FILTERS).map((name) =>
      name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    ),
  );
  const { since, start = since, end, ...given } = flags;
  const filters = Object.entries(given).filter(([name]) => names.has(name));
  return {
    ...Object.fromEntries(filters),
    ...(start !== undefined && { start: momentFlag(start) }),
    ...(end !== undefined && { end: momentFlag(end) }),
  };
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
      return option("value")
        .argParser((value, before: string[] = []) => [...before, value])
        .default(undefined);
    case "number":
    case "integer":
      return option("number").argParser(numberFlag);
    case "time":
      return option("time").argParser(timeFlag);
  }
}

/** Kept as it was given: what `24h` means moves on. */
function timeFlag(text: string): string {
  momentFlag(text);
  return text;
}
