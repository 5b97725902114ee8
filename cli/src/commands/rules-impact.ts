import type { Impact } from "@devid/sdk/rules/replay";
import { Command, Option } from "commander";
import { momentFlag } from "../moment-flag";
import { numberFlag } from "../number-flag";
import { regionOption } from "../region-option";
import { EXIT } from "../report-error";
import type { NamedRuleSet, SourceOptions } from "../rule-set-source";
import { wholeNumber } from "../whole-number";

interface Flags extends SourceOptions {
  readonly base: string;
  readonly since: Date;
  readonly until?: Date;
  readonly sample?: number;
  readonly suspectThreshold?: number;
  readonly format: "text" | "json" | "markdown";
  readonly json?: true;
}

/** `devid rules impact`: what rules would have done to past events. */
export function rulesImpact(): Command {
  return new Command("impact")
    .description("replay rules on past events: what would they have done?")
    .argument("<file>", "a rule file, or the output of pulumi preview --json")
    .option(
      "--base <base>",
      "the same, or live: the rules in force that they are compared with",
      "live",
    )
    .addOption(
      new Option("--since <time>", "events from then on: 24h, 7d, a time")
        .argParser(momentFlag)
        .default(momentFlag("24h"), "24h"),
    )
    .option("--until <time>", "events before then (default: now)", momentFlag)
    .option(
      "--sample <n>",
      "look at about so many of them, and estimate the rest",
      wholeNumber,
    )
    .option(
      "--suspect-threshold <score>",
      "an event is suspect when its score is above it (default: 10)",
      numberFlag,
    )
    .addOption(
      new Option("--format <format>", "how it is printed")
        .choices(["text", "json", "markdown"])
        .default("text"),
    )
    .option("--json", "the same as --format json")
    .option(
      "--environment <id|name>",
      "environment of live rules and events (default: the default environment)",
    )
    .addOption(regionOption())
    .option("--resource <name>", "rule set of a preview that shows several")
    .action(async (path: string, flags: Flags) => {
      const { readRuleSet } = await import("../rule-set-source.js");
      const proposed = await readRuleSet(path, flags);
      const inForce = await readRuleSet(flags.base, flags);
      const impact = await measured(proposed, inForce, flags);
      process.stdout.write(await report(impact, proposed, inForce, flags));
      const { newlyDenied, newlyAllowed } = impact.total;
      if (newlyDenied.value + newlyAllowed.value > 0)
        process.exitCode = EXIT.differences;
    });
}

async function measured(
  { rules: proposed }: NamedRuleSet,
  { rules: inForce }: NamedRuleSet,
  { since, until = new Date(), ...flags }: Flags,
): Promise<Impact> {
  const { configuredClient } = await import("../configured-client.js");
  const { eventEnvironment } = await import("../event-environment.js");
  const { withEventProgress } = await import("../with-event-progress.js");
  const { impactOf } = await import("@devid/sdk/rules/replay");
  const client = await configuredClient(flags);
  const environment = await eventEnvironment(client, flags.environment);
  const { sample, suspectThreshold } = flags;
  return withEventProgress((onProgress, signal) =>
    impactOf(client, {
      proposed,
      inForce,
      start: since,
      end: until,
      environment,
      sample,
      suspectThreshold,
      signal,
      onProgress,
    }),
  );
}

async function report(
  impact: Impact,
  proposed: NamedRuleSet,
  inForce: NamedRuleSet,
  { format, json }: Flags,
): Promise<string> {
  if (json || format === "json")
    return `${JSON.stringify(impact, undefined, 2)}\n`;
  const { formatImpactMarkdown, formatImpactText } =
    await import("@devid/sdk/rules/replay");
  const names = { before: inForce.name, after: proposed.name };
  return format === "markdown"
    ? formatImpactMarkdown(impact, names)
    : formatImpactText(impact, names);
}
