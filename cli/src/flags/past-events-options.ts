import { canonicalHeaderName } from "@devid/rules/language";
import { InvalidArgumentError, Option } from "commander";
import { durationFlag, momentFlag, wholeNumberFlag } from "./flag-values";

/** `--since` and `--until`: the range of time of the past events. */
export const timeOptions = (
  since = "start of the past events: 24h, 7d, or a time",
): Option[] => [
  new Option("--since <time>", since)
    .argParser(momentFlag)
    .default(momentFlag("24h"), "24h"),
  new Option(
    "--until <time>",
    "end of the past events (default: now)",
  ).argParser(momentFlag),
];

/** `--sample` and `--within`: how many of the past events are read. */
export const sampleOptions = (): Option[] => [
  new Option(
    "--sample <n>",
    "read about n of the events, and estimate the rest",
  ).argParser(wholeNumberFlag),
  new Option(
    "--within <time>",
    "read random slices of the events for this time, such as 60s or 5m; exact if that is enough for all",
  ).argParser(durationFlag),
];

/** `--assume-not-sent`: a header that counts as missing in past events. */
export const assumeNotSentOption = (): Option =>
  new Option(
    "--assume-not-sent <header>",
    "no client sends this header, so past events do not have it; may be repeated",
  )
    .argParser((name: string, before: readonly string[]) => {
      const header = canonicalHeaderName(name);
      if (header !== undefined) return [...before, header];
      throw new InvalidArgumentError(
        "It has to be the name of a header, such as Sec-Ch-Ua.",
      );
    })
    .default([], "none");

/** `--events`, `--mapping` and `--max-query-time`; `words` says what `--events` does. */
export const warehouseOptions = (
  words = "source of past events (default: the events API)",
): Option[] => [
  new Option(
    "--events <source>",
    `${words}: parquet:GLOB, ndjson:GLOB, clickhouse:URL?table=NAME or trino:URL?catalog=NAME&schema=NAME&table=NAME`,
  ),
  new Option(
    "--mapping <file>",
    "YAML file that names the columns of a table of events",
  ),
  new Option(
    "--max-query-time <time>",
    "how long a query of a warehouse may take: 90s, 10m (default: 10m)",
  ).argParser(durationFlag),
];
