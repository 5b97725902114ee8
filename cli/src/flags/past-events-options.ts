import { Option, type Command } from "commander";
import { durationFlag, momentFlag, wholeNumberFlag } from "./flag-values";

/** Adds `--since` and `--until`: the range of time of the past events. */
export const addTimeOptions = (
  command: Command,
  since = "start of the past events: 24h, 7d, or a time",
): Command =>
  command
    .addOption(
      new Option("--since <time>", since)
        .argParser(momentFlag)
        .default(momentFlag("24h"), "24h"),
    )
    .option(
      "--until <time>",
      "end of the past events (default: now)",
      momentFlag,
    );

/** Adds `--sample` and `--within`: how many of the past events are read. */
export const addSampleOptions = (command: Command): Command =>
  command
    .option(
      "--sample <n>",
      "read about n of the events, and estimate the rest",
      wholeNumberFlag,
    )
    .option(
      "--within <time>",
      "longest time for reading events, such as 60s or 5m; reads a sample when all would take longer",
      durationFlag,
    );
