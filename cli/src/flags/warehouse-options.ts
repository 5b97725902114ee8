import { Option, type Command } from "commander";
import { durationFlag } from "./flag-values";

/**
 * Adds `--events`, `--mapping` and `--max-query-time`.
 * @param words says what the command does with `--events`
 */
export function addWarehouseOptions(
  command: Command,
  words = "source of past events (default: the events API)",
): Command {
  return command
    .addOption(
      new Option(
        "--events <source>",
        `${words}: parquet:GLOB, ndjson:GLOB, clickhouse:URL?table=NAME or trino:URL?catalog=NAME&schema=NAME&table=NAME`,
      ),
    )
    .addOption(
      new Option(
        "--mapping <file>",
        "YAML file that names the columns of a table of events",
      ),
    )
    .addOption(
      new Option(
        "--max-query-time <time>",
        "how long a query of a warehouse may take: 90s, 10m (default: 10m)",
      ).argParser(durationFlag),
    );
}
