import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { driftCount, formatDrift } from "@devid/clone";
import { writeInForce } from "../../ci/in-force-file";
import { driftReport, keepDriftIssue, type FoundDrift } from "../../ci/drift";
import { repeatedFlag } from "../../flags/flag-values";
import {
  fromVariables,
  hostOptions,
  pipelineOf,
  stackOption,
  type PipelineFlags,
} from "./pipeline-options";
import { Command, workspaceOptions } from "../../flags/shared-options";
import { errorText, EXIT } from "../../output/report-error";
import { withoutKeys } from "../../output/without-keys";
import { inPrivateFolder, writePrivately } from "../../output/write-output";
import { inForceNow } from "../../sources/live-rules";
import { stateOf } from "../../sources/pulumi";
import { isFile } from "../../sources/rule-files";
import { driftOf } from "../../sources/stack-drift";

/** The IDs of objects that no program is to declare, in the folder of the program. */
const ALLOWED_FILE = "drift-allowed.txt";

interface Flags extends PipelineFlags {
  readonly region?: string;
  readonly otherStack?: readonly string[];
}

/** `devid ci drift`: keeps one issue about what of the workspace differs from the stack. */
export function ciDrift(): Command {
  return new Command("drift")
    .argument("<file>", "the rule file")
    .flags(stackOption(), hostOptions())
    .flags(
      fromVariables(
        workspaceOptions(
          "environment of the rules (default: the default environment)",
        ),
        { "--environment": "RULES_ENVIRONMENT" },
      ),
    )
    .option(
      "--other-stack <name>",
      "another stack of this program with objects in the workspace; may be repeated",
      repeatedFlag,
    )
    .action(async (path: string, given: Flags) => {
      const { flags, subject, host, env } = await pipelineOf(path, given);
      const found = await foundDrift(subject.stack, flags);
      const isJudged = !("failure" in found) && found.notJudged.length === 0;
      const differs = !isJudged || driftCount(found) > 0;
      process.stdout.write(
        "failure" in found ? `${found.failure}\n` : formatDrift(found, "text"),
      );
      if (env.GITHUB_STEP_SUMMARY)
        appendFileSync(env.GITHUB_STEP_SUMMARY, driftReport(subject, found));
      const done = await keepDriftIssue(
        host,
        subject,
        differs ? found : undefined,
      );
      process.stdout.write(`${done}\n`);
      if (differs) process.exitCode = isJudged ? EXIT.differences : EXIT.error;
    });
}

async function foundDrift(
  stack: string,
  { otherStack = [], ...flags }: Flags,
): Promise<FoundDrift> {
  try {
    return await inPrivateFolder(async (folder) => {
      const otherState: string[] = [];
      for (const [index, name] of otherStack.entries()) {
        const file = join(folder, `${index}.json`);
        writePrivately(file, await stateOf(name));
        otherState.push(file);
      }
      // A program in YAML reads this file; drift does not depend on its digest.
      writeInForce((await inForceNow(flags)).digest);
      const found = await driftOf(".", {
        ...{ stack, otherState },
        ...(isFile(ALLOWED_FILE) && { allowed: ALLOWED_FILE }),
      });
      return withoutKeys(found);
    });
  } catch (error) {
    return { failure: withoutKeys(errorText(error)) };
  }
}
