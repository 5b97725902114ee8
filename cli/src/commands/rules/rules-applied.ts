import { rulesDigest } from "@devid/rules";
import { formatApplied, type Applied } from "@devid/review";
import { Command } from "commander";
import {
  environmentOption,
  formatOption,
  jsonFormatOption,
  outOption,
  regionOption,
} from "../../flags/shared-options";
import { errorText, EXIT } from "../../output/report-error";
import { withoutKeys } from "../../output/without-keys";
import { writeReport } from "../../output/write-output";
import { appliedResources } from "../../sources/applied";
import { configuredClient } from "../../sources/configured-client";
import { readEngineEvents } from "../../sources/engine-events";
import { LiveRules } from "../../sources/live-rules";
import { GitRepository } from "../../sources/review/git-repository";
import { readTextFile } from "../../sources/rule-files";

interface Flags {
  readonly events: string;
  readonly plan?: string;
  readonly stack?: string;
  readonly environment?: string;
  readonly region?: string;
  readonly format: "text" | "json" | "markdown";
  readonly json?: true;
  readonly out?: string;
}

/**
 * `devid rules applied`: reports what `pulumi up` did with each resource, what it
 * did not do, and which rules are in force now.
 */
export function rulesApplied(): Command {
  return new Command("applied")
    .argument("<file>", "the rule file that was deployed")
    .requiredOption(
      "--events <file>",
      "event log of the update: pulumi up --event-log FILE",
    )
    .option("--plan <plan.json>", "the saved plan that it applied")
    .option("--stack <name>", "stack of the update")
    .addOption(
      environmentOption(
        "environment of the rules (default: the default environment)",
      ),
    )
    .addOption(regionOption())
    .addOption(formatOption("json", "markdown"))
    .addOption(jsonFormatOption())
    .addOption(outOption())
    .action(async (path: string, flags: Flags) => {
      const { environment, stack, plan } = flags;
      const events = readEngineEvents(readTextFile(flags.events).text);
      const repository = await GitRepository.around(path).catch(
        () => undefined,
      );
      const applied: Applied = {
        version: 1,
        file: repository?.fileName ?? path,
        scope: {
          ...(environment !== undefined && { environment }),
          ...(stack !== undefined && { stack }),
        },
        ...appliedResources(events, plan && readTextFile(plan).text),
        inForce: await digestInForce(flags),
      };
      const format = flags.json ? "json" : flags.format;
      const shown = withoutKeys(applied);
      writeReport(formatApplied(shown, format), flags.out);
      if (applied.extent !== "whole") process.exitCode = EXIT.differences;
    });
}

async function digestInForce(flags: Flags): Promise<Applied["inForce"]> {
  try {
    const live = new LiveRules(configuredClient(flags));
    const { id } = await live.environment(flags.environment);
    return rulesDigest(await live.of(id));
  } catch (error) {
    return { absent: errorText(error) };
  }
}
