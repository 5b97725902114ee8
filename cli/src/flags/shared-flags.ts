import { canonicalHeaderName } from "@devid/rules/language";
import type { Region } from "@devid/sdk";
import { InvalidArgumentError } from "commander";
import {
  choiceFlag,
  flag,
  parsedFlag,
  textFlag,
  type ValuesOf,
} from "./define-command";
import { UsageError } from "../errors";
import {
  daysAgo,
  durationFlag,
  momentFlag,
  wholeNumberFlag,
} from "./flag-values";

/**
 * A copy of the client's list, because the client is slow to load and offline commands
 * do not need it. A test compares the two lists.
 */
export const REGION_CHOICES = [
  "us",
  "eu",
  "ap",
] as const satisfies readonly Region[];

/** `--region`, which overrides the environment variable. */
export const regionFlag = choiceFlag(
  "<region> region of the workspace",
  REGION_CHOICES,
);

/** `--json`: prints the result and errors as JSON. */
export const jsonFlag = (words = "print JSON, errors too") => flag(words);

/** `--environment` and `--region`. `words` says what `--environment` chooses. */
export const workspaceFlags = (words: string) => ({
  environment: textFlag(`<id|name> ${words}`),
  region: regionFlag,
});

/** `--json` for a command that also has `--format`. */
export const jsonFormatFlag = jsonFlag(
  "the same as --format json; errors are JSON, too",
);

/** `--out`: where the report is written. */
export const outFlag = textFlag("<file> write the report to a file");

/** `--format` (text or one of `formats`), `--json` and `--out`: how and where a report is written. */
export const reportFlags = <const Format extends string>(
  ...formats: readonly Format[]
) => ({
  format: choiceFlag("<format> output format", ["text", ...formats]).or("text"),
  json: jsonFormatFlag,
  out: outFlag,
});

/** The formats for machines, which `check`, `test` and `review` have. */
export const MACHINE_FORMATS = ["json", "sarif", "github", "junit"] as const;

/** `--strict`; `what` lists the warnings that are not marked as such in a file. */
export const strictFlag = (what: string) =>
  flag(`also fail on warnings, and ${what}`);

/** `--max-rules`, for lint. */
export const maxRulesFlag = parsedFlag(
  "<n> how many rules the account allows (default: 15)",
  wholeNumberFlag(0),
);

/** `--base`: what rules are compared with. */
export const baseFlag = (words?: string) =>
  textFlag(
    `<base> the rules to compare with: a file, a git ref, REF:PATH, or live: the rules in force${words ? ` (${words})` : ""}`,
  );

/** `--resource`, which chooses a rule set of a preview. */
export const resourceFlag = textFlag(
  "<name> rule set of a preview that shows several",
);

/** `--show-secrets`, for every command whose report hides keys. */
export const showSecretsFlag = flag("print keys in full instead of [redacted]");

/** `--since` and `--until`: the range of time of the past events. */
export const timeFlags = (
  since = "start of the past events: 24h, 7d, or a time",
) => ({
  since: parsedFlag(`<time> ${since} (default: 24h)`, momentFlag),
  until: parsedFlag("<time> end of the past events (default: now)", momentFlag),
});

/**
 * The range that these flags name: by default the last 24 hours.
 * @throws UsageError if there is no time in it
 */
export function rangeOf({
  since = daysAgo(1),
  until = new Date(),
}: ValuesOf<ReturnType<typeof timeFlags>>) {
  if (since >= until) throw noTimeBetween(since, until);
  return { start: since, end: until };
}

export const noTimeBetween = (since: Date, until: Date): UsageError =>
  new UsageError(
    `There is no time between --since, ${since.toISOString()}, and --until, ${until.toISOString()}. Give an earlier --since, or a later --until.`,
  );

/** `--sample` and `--within`: how many of the past events are read. */
export const SAMPLE_FLAGS = {
  sample: parsedFlag(
    "<n> read about n of the events, and estimate the rest",
    wholeNumberFlag(100),
  ),
  within: parsedFlag(
    "<time> read random slices of the events for this time, such as 60s or 5m; exact if that is enough for all",
    durationFlag,
  ),
};

/** `--assume-not-sent`: a header that counts as missing in past events. */
export const assumeNotSentFlag = parsedFlag(
  "<header> no client sends this header, so past events do not have it; may be repeated",
  (name: string, earlier: readonly string[]) => {
    const header = canonicalHeaderName(name);
    if (header !== undefined) return [...earlier, header];
    throw new InvalidArgumentError(
      "It has to be the name of a header, such as Sec-Ch-Ua.",
    );
  },
).or([], "none");

/** `--events`, `--mapping` and `--max-query-time`: a warehouse of past events in place of the events API. */
export const WAREHOUSE_FLAGS = {
  events: textFlag(
    `<source> source of past events (default: the events API): parquet:GLOB, ndjson:GLOB, clickhouse:URL?table=NAME or trino:URL?catalog=NAME&schema=NAME&table=NAME`,
  ),
  mapping: textFlag(
    "<file> YAML file that names the columns of a table of events",
  ),
  maxQueryTime: parsedFlag(
    "<time> how long a query of a warehouse may take: 90s, 10m (default: 10m)",
    durationFlag,
  ),
};

/** The flags that choose a warehouse, as commander parses them. */
export type WarehouseFlags = ValuesOf<typeof WAREHOUSE_FLAGS>;

/**
 * Refuses flags that have no effect with a warehouse, or without a warehouse.
 * @throws UsageError
 */
export function checkWarehouseFlags(
  flags: ValuesOf<typeof WAREHOUSE_FLAGS & Partial<typeof SAMPLE_FLAGS>>,
): void {
  const { events, mapping, maxQueryTime, sample, within } = flags;
  if (events !== undefined && (sample ?? within) !== undefined)
    throw new UsageError(
      "A warehouse is judged by all of its events: leave --sample and --within out.",
    );
  const given = [
    ...(mapping === undefined ? [] : ["--mapping"]),
    ...(maxQueryTime === undefined ? [] : ["--max-query-time"]),
  ];
  if (events === undefined && given.length > 0)
    throw new UsageError(
      `${given[0]} is for a warehouse of events: add --events.`,
    );
}
