import { resolve } from "node:path";
import {
  formatRecovery,
  leftoversOf,
  objectLine,
  readPreviewedProgram,
  recoverStack,
  resourcesIn,
  summarizeRecovery,
  type Leftover,
  type PreviewedProgram,
  type RecoverySummary,
  type StackDeployment,
} from "@devid/clone";
import { Command } from "commander";
import { readText, UsageError } from "../../errors";
import { repeatedFlag } from "../../flags/flag-values";
import { jsonOption } from "../../flags/shared-options";
import { confirm } from "../../output/confirm";
import { ReadProgressLine } from "../../output/progress";
import { EXIT } from "../../output/report-error";
import { printJson, writePrivately } from "../../output/write-output";
import { StackOfProgram } from "../../sources/stack-of-program";

interface Flags {
  readonly stack?: string;
  readonly out: string;
  readonly plan?: string;
  readonly choose?: readonly string[];
  readonly add?: true;
  readonly deleteDuplicates?: true;
  readonly yes?: true;
  readonly json?: true;
}

const EMPTY: StackDeployment = { version: 3, deployment: {} };

/** `devid recover`: writes the state of a program whose objects exist already. */
export function recover(): Command {
  return new Command("recover")
    .argument("<folder>", "folder of the program, with Pulumi.yaml")
    .option("--stack <name>", "stack of the program; default: the selected one")
    .option(
      "--out <file>",
      "file to write the state to, for pulumi stack import",
      "recovered.json",
    )
    .option(
      "--choose <name=id>",
      "match the resource of this name to the object with this ID; repeatable",
      repeatedFlag,
    )
    .option(
      "--add",
      "keep what the state of the stack has, and add what it lacks",
    )
    .option(
      "--delete-duplicates",
      "with --add: delete the API keys and webhooks that an interrupted update left behind, after a question",
    )
    .option("--yes", "delete them without asking")
    .option(
      "--plan <preview.json>",
      "output of pulumi preview --json, instead of running pulumi",
    )
    .addOption(jsonOption())
    .action(async (folder: string, flags: Flags) => {
      const { deleteDuplicates, add, json } = flags;
      if (deleteDuplicates && !add)
        throw new UsageError(
          "--delete-duplicates needs --add: only the state of a stack shows which of two equal objects is left over.",
        );
      const { summary, files, leftovers, text } = await recoverProgram(
        folder,
        flags,
      );
      if (!json) process.stdout.write(text);
      const deleted = deleteDuplicates
        ? await deleteLeftovers(leftovers, flags)
        : [];
      if (json)
        printJson({ ...summary, files, ...(deleteDuplicates && { deleted }) });
      const isWhole =
        summary.ambiguous.length + summary.missing.length === 0 &&
        summary.duplicates.length === deleted.length;
      if (!isWhole) process.exitCode = EXIT.differences;
    });
}

/**
 * Deletes leftovers after the user has agreed, and returns their IDs.
 * @throws UsageError where nobody can agree
 */
async function deleteLeftovers(
  leftovers: readonly Leftover[],
  { yes, json }: Flags,
): Promise<string[]> {
  const ids = leftovers.map(({ object }) => object.id);
  if (ids.length === 0) {
    process.stderr.write("There is nothing to delete.\n");
    return [];
  }
  if (!yes) {
    if (json || !process.stdin.isTTY)
      throw new UsageError(
        `These would be deleted: ${ids.join(", ")}. Make sure that no other stack and nobody else uses them, and delete them with --yes.`,
      );
    const lines = leftovers.map(({ object }) => `  ${objectLine(object)}\n`);
    process.stderr.write(
      `\nThese will be deleted for good. Make sure that no other stack and\nnobody else uses them:\n${lines.join("")}`,
    );
    if (!(await confirm("Delete these?")))
      throw new UsageError("Nothing was deleted.");
  }
  for (const leftover of leftovers) {
    await leftover.delete();
    process.stderr.write(`Deleted ${objectLine(leftover.object)}\n`);
  }
  return ids;
}

/**
 * Finds the objects of a program and writes its state.
 * @param choices further choices, once the program is known @returns the objects found
 * and the files written, both as text, and the leftovers of an interrupted update
 */
export async function recoverProgram(
  folder: string,
  flags: Flags,
  choices: (program: PreviewedProgram) => readonly string[] = () => [],
): Promise<{
  readonly summary: RecoverySummary;
  readonly files: readonly string[];
  readonly leftovers: readonly Leftover[];
  readonly text: string;
}> {
  const { out, choose = [] } = flags;
  const source = await sourceOf(folder, flags);
  const progress = new ReadProgressLine("Reading");
  const recovery = await recoverStack({
    ...source,
    choices: [...choose, ...choices(source.program)],
    onProgress: progress.show,
  }).finally(() => progress.end());
  const summary = summarizeRecovery(recovery);
  const { state, pluginImports } = recovery;
  // An import also removes the pending creations from the state.
  const pending = state?.deployment.pending_operations ?? [];
  const files: string[] = [];
  if (state && summary.found.length + pending.length > 0) {
    files.push(out);
    writeState(out, state);
    if (pluginImports?.resources.length) {
      const path = out.replace(/(\.json)?$/, ".import.json");
      files.push(path);
      writeState(path, pluginImports);
    }
  }
  const text =
    formatRecovery(summary) + nextSteps(flags, folder, files, summary);
  const leftovers = leftoversOf(recovery, source.before);
  return { summary, files, leftovers, text };
}

/** What the recovery starts from: the program, the state, and stack config. */
async function sourceOf(folder: string, { stack, plan: preview, add }: Flags) {
  if (preview !== undefined) {
    if (add)
      throw new UsageError(
        "--add needs the state of the stack, and so the folder of the program without --plan.",
      );
    const program = readPreviewedProgram(readText(preview), { name: preview });
    const known = program.resources.filter((one) => one.kind && one.isInState);
    if (known.length > 0)
      throw new UsageError(
        `The preview ${preview} is of a stack whose state has ${known.length} of the resources. Preview a new stack, or leave --plan out and give --add.`,
      );
    return { program, before: EMPTY, stackConfig: {} };
  }
  const pulumi = new StackOfProgram(folder, stack);
  const before = await pulumi.state();
  const count = resourcesIn(before);
  if (count > 0 && !add)
    throw new UsageError(
      `The stack has ${count} resources in its state, which is not lost. --add keeps them, and adds what the state lacks.`,
    );
  return pulumi.previewed(before);
}

/** A state may hold secrets. */
const writeState = (path: string, value: unknown) =>
  writePrivately(path, `${JSON.stringify(value, undefined, 2)}\n`);

function nextSteps(
  { stack, out }: Flags,
  folder: string,
  files: readonly string[],
  { ambiguous }: { readonly ambiguous: readonly unknown[] },
): string {
  if (ambiguous.length > 0) return "\nNothing was written.\n";
  if (files.length === 0)
    return "\nThe state lacks nothing that is there, so nothing was written.\n";
  const isHere = resolve(folder) === process.cwd();
  const options =
    (isHere ? "" : ` --cwd ${quoted(folder)}`) +
    (stack === undefined ? "" : ` --stack ${quoted(stack)}`);
  // With --cwd, pulumi reads the file from there.
  const file = quoted(isHere ? out : resolve(out));
  return [
    `\nWritten: ${files.join(", ")}`,
    "It may hold secrets; delete it after the import:",
    `  pulumi stack import --file ${file}${options}`,
    `  pulumi refresh --run-program${options}`,
    `  pulumi preview --expect-no-changes${options}\n`,
  ].join("\n");
}

/** Quotes a word for the shell. */
const quoted = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
