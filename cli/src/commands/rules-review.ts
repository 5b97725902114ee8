import { writeFileSync } from "node:fs";
import { normalize } from "node:path";
import type { Rule } from "@devid/sdk/rules";
import type { Review, ReviewSubject } from "@devid/sdk/rules/review";
import { Command, Option } from "commander";
import { momentFlag } from "../moment-flag";
import { regionOption } from "../region-option";
import { EXIT } from "../report-error";
import { readTextFile } from "../rule-files";
import { UsageError } from "../usage-error";
import { wholeNumber } from "../whole-number";

interface Flags {
  readonly base: string;
  readonly format: "text" | "json" | "markdown" | "html";
  readonly json?: true;
  readonly since: Date;
  readonly sample?: number;
  readonly environment?: string;
  readonly region?: string;
  readonly impact: boolean;
  readonly failOn: readonly string[];
  readonly strict?: true;
  readonly out?: string;
}

/** `devid rules review`: what a reviewer of a rule file has to know, in one report. */
export function rulesReview(): Command {
  return new Command("review")
    .description(
      "review a rule file: what it changes, lint, tests, and past events",
    )
    .argument("<file>", "a rule file")
    .requiredOption(
      "--base <base>",
      "what it is compared with: a file, a git ref, or live: the rules in force",
    )
    .addOption(
      new Option("--format <format>", "how it is printed")
        .choices(["text", "json", "markdown", "html"])
        .default("text"),
    )
    .option("--json", "the same as --format json")
    .addOption(
      new Option("--since <time>", "past events from then on: 24h, 7d, a time")
        .argParser(momentFlag)
        .default(momentFlag("24h"), "24h"),
    )
    .option("--sample <n>", "look at about so many of them", wholeNumber)
    .option("--no-impact", "do not look at past events")
    .option(
      "--environment <id|name>",
      "environment of live rules and events (default: the default environment)",
    )
    .addOption(regionOption())
    .option(
      "--fail-on <condition>",
      "fail when it holds, and else only when another named one does; may be repeated",
      (text: string, before: readonly string[]) => [...before, text],
      [] as readonly string[],
    )
    .option("--strict", "fail at warnings, too")
    .option("--out <file>", "write it to a file")
    .action(async (path: string, flags: Flags) => {
      const review = await reviewOf(path, flags);
      write(await formatted(review, flags), flags.out);
      const { needsAttention } = await import("@devid/sdk/rules/review");
      if (needsAttention(review, flags.strict))
        process.exitCode = EXIT.differences;
    });
}

async function reviewOf(path: string, flags: Flags): Promise<Review> {
  const { parseFailCondition, reviewRules } =
    await import("@devid/sdk/rules/review");
  const failOn = flags.failOn.map(parseFailCondition);
  if (flags.strict && failOn.length > 0)
    throw new UsageError(
      "With --fail-on, only what it names fails a review: write --fail-on lint:warning instead of --strict.",
    );
  const { text } = readTextFile(path);
  const { pathInRepository } = await import("../review/git-file.js");
  const { reviewBase } = await import("../review/review-base.js");
  const base = await reviewBase(flags.base, path, flags);
  const review = reviewRules({
    path: (await pathInRepository(path)) ?? normalize(path),
    text,
    base,
    impact: await impactOf(text, path, base, flags),
    failOn,
  });
  const { configuredClient } = await import("../configured-client.js");
  const client = await configuredClient(flags);
  // Nobody writes a key into a rule, but should it happen, it is not spread.
  return JSON.parse(client.redact(JSON.stringify(review))) as Review;
}

async function impactOf(
  text: string,
  path: string,
  base: ReviewSubject["base"],
  flags: Flags,
): Promise<ReviewSubject["impact"]> {
  if (!flags.impact) return { absent: "not asked for" };
  if ("absent" in base) return { absent: base.absent };
  const proposed = await validRules(text, path);
  if (!proposed) return { absent: "the rule file is not valid" };
  const { reviewImpact } = await import("../review/review-impact.js");
  return reviewImpact({ ...flags, proposed, inForce: base.rules });
}

async function validRules(
  text: string,
  path: string,
): Promise<readonly Rule[] | undefined> {
  const { RuleFileError } = await import("@devid/sdk/rules");
  const { rulesOfFile } = await import("../rule-set-source.js");
  try {
    return await rulesOfFile(text, path);
  } catch (error) {
    if (error instanceof RuleFileError) return undefined;
    throw error;
  }
}

async function formatted(
  review: Review,
  { format, json, out }: Flags,
): Promise<string> {
  const { formatReviewHtml, formatReviewMarkdown, formatReviewText } =
    await import("@devid/sdk/rules/review");
  switch (json ? "json" : format) {
    case "json":
      return `${JSON.stringify(review, undefined, 2)}\n`;
    case "markdown":
      return formatReviewMarkdown(review);
    case "html":
      return formatReviewHtml(review);
    case "text": {
      const isShown = out === undefined && process.stdout.isTTY;
      const color = isShown && process.stdout.hasColors();
      return formatReviewText(review, { color });
    }
  }
}

function write(report: string, out: string | undefined): void {
  if (out === undefined) {
    process.stdout.write(report);
    return;
  }
  try {
    writeFileSync(out, report);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UsageError(`${out} cannot be written: ${reason}.`);
  }
}
