import {
  driftCount,
  findDrift,
  formatDrift,
  formatFailedDrift,
  type Drift,
  type StackDeployment,
} from "@devid/clone";
import { UsageError } from "../../errors";
import { repeatedFlag } from "../../flags/flag-values";
import {
  Command,
  formatOf,
  reportOptions,
  type ReportFlags,
} from "../../flags/shared-options";
import { ReadProgressLine } from "../../output/progress";
import { errorText, EXIT } from "../../output/report-error";
import { withoutKeys } from "../../output/without-keys";
import { jsonReport, writeReport } from "../../output/write-output";
import { readTextFile } from "../../sources/rule-files";
import { StackOfProgram } from "../../sources/stack-of-program";

interface Flags extends ReportFlags {
  readonly stack?: string;
  readonly plan?: string;
  readonly planLog?: string;
  readonly otherState?: readonly string[];
  readonly allowed?: string;
}

/**
 * `devid drift`: shows the objects that differ from the stack's state and program, and
 * the objects that are in no state.
 */
export function drift(): Command {
  return new Command("drift")
    .argument("[folder]", "folder of the program, with Pulumi.yaml", ".")
    .option("--stack <name>", "stack of the program; default: the selected one")
    .option(
      "--plan <preview.json>",
      "output of pulumi preview --json --show-sames, instead of running pulumi",
    )
    .option(
      "--plan-log <file>",
      "what pulumi preview printed on standard error, the reason if it printed nothing else",
    )
    .option(
      "--other-state <file>",
      "pulumi stack export of another stack with objects in the workspace; repeatable",
      repeatedFlag,
    )
    .option(
      "--allowed <file>",
      "IDs of objects that are meant to be in no state, one a line; # begins a comment",
    )
    .flags(reportOptions("json", "markdown"))
    .action(async (folder: string, flags: Flags) => {
      let found: Drift;
      try {
        found = await driftOf(folder, flags);
      } catch (error) {
        writeFailure(error, flags);
        throw error;
      }
      const shown = withoutKeys(found);
      const format = formatOf(flags);
      writeReport(
        format === "json" ? jsonReport(shown) : formatDrift(shown, format),
        flags.out,
      );
      if (driftCount(found) > 0) process.exitCode = EXIT.differences;
      else if (found.notJudged.length > 0) process.exitCode = EXIT.error;
    });
}

async function driftOf(folder: string, flags: Flags): Promise<Drift> {
  const { otherState = [], allowed } = flags;
  const otherStates = otherState.map(stateIn);
  const source = await sourceOf(folder, flags);
  const progress = new ReadProgressLine("Reading");
  return findDrift({
    ...source,
    otherStates,
    ...(allowed !== undefined && { allowed: idsIn(allowed) }),
    onProgress: progress.show,
  }).finally(() => progress.end());
}

async function sourceOf(folder: string, { plan, planLog, stack }: Flags) {
  if (plan !== undefined) {
    const preview = readTextFile(plan).text;
    const log = planLog === undefined ? "" : readTextFile(planLog).text.trim();
    if (preview.trim() === "" && log !== "")
      throw new UsageError(`There is no preview ${plan}: ${log}`);
    return { preview, name: plan };
  }
  const pulumi = new StackOfProgram(folder, stack);
  process.stderr.write("Previewing the program\n");
  return {
    preview: await pulumi.previewWithoutSecrets(),
    name: `of ${folder}`,
    stackConfig: await pulumi.config(),
  };
}

const idsIn = (path: string) =>
  readTextFile(path)
    .text.split("\n")
    .map((line) => line.replace(/#.*/, "").trim())
    .filter((id) => id !== "");

function stateIn(path: string): StackDeployment {
  const { text } = readTextFile(path);
  try {
    const state = JSON.parse(text) as StackDeployment;
    if (typeof state.deployment === "object") return state;
  } catch {
    // The parser's message may quote a secret.
  }
  throw new UsageError(
    `${path} is not a state: it takes the output of pulumi stack export.`,
  );
}

/** Writes the error to the Markdown report, too, because it becomes an issue. */
function writeFailure(error: unknown, flags: Flags): void {
  if (flags.out === undefined || formatOf(flags) !== "markdown") return;
  const message = withoutKeys(errorText(error));
  writeReport(formatFailedDrift(message, flags.stack), flags.out);
}
