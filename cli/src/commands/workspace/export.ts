import {
  assertChoices,
  CLONE_KINDS,
  exportProgram,
  LANGUAGES,
  readManifest,
  readWorkspace,
  select,
  writeProgram,
  type ProgramForm,
  type Selection,
  type UnreadKind,
} from "@devid/pulumi/clone";
import { Command, Option } from "commander";
import {
  jsonOption,
  regionOption,
  environmentOption,
} from "../../flags/shared-options";
import { UsageError } from "../../errors";
import { configuredClient } from "../../sources/configured-client";
import { EXIT } from "../../output/report-error";
import { printJson } from "../../output/write-output";
import { ReadProgressLine } from "../../output/progress";

interface Flags extends Partial<ProgramForm> {
  readonly out: string;
  readonly region?: string;
  readonly environment?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly name?: string;
  readonly force?: true;
  readonly json?: true;
}

/** `devid export`: writes the workspace as a Pulumi program. */
export function exportCommand(): Command {
  return new Command("export")
    .requiredOption("--out <folder>", "folder to write the program to")
    .addOption(regionOption())
    .addOption(
      environmentOption("only this environment: its keys, webhooks and rules"),
    )
    .option(
      "--include <choices>",
      `only these: kinds (${CLONE_KINDS.join(", ")}), a kind and a pattern of names (api-keys:shop-*), or IDs; repeatable, with commas between`,
      choicesFlag,
    )
    .option(
      "--exclude <choices>",
      "none of these, in the same form; what is excluded stays as it is",
      choicesFlag,
    )
    .option("--name <pattern>", "only what is named so, e.g. 'shop-*'")
    .addOption(
      new Option("--language <language>", "language of the program")
        .choices(LANGUAGES)
        .default("typescript"),
    )
    .option("--plugin", "over the provider plugin, as every YAML program is")
    .option(
      "--force",
      "write over files that no export wrote, and over another export",
    )
    .addOption(jsonOption())
    .action(async (flags: Flags) => {
      const { out, region, force, json, language, plugin, ...chosen } = flags;
      const client = await configuredClient({ region });
      const progress = new ReadProgressLine("Reading");
      const workspace = await readWorkspace(client, {
        onProgress: progress.show,
      }).finally(() => progress.end());
      assertChoices(workspace, chosen);
      const selection = select(workspace, chosen);
      const { unread } = selection.workspace;
      assertSomeRead(unread, chosen.include);
      for (const { what, reason } of unread)
        process.stderr.write(
          `The ${what} could not be read and are left out: ${reason}\n`,
        );
      const isNarrowed =
        chosen.name ?? chosen.include?.some((one) => /[:_]/.test(one));
      if (isNarrowed && isEmpty(selection)) {
        process.exitCode = EXIT.differences;
        if (json)
          printJson({
            ...{ out, resources: 0, leftOut: [], unread },
            ...NOTHING_DONE,
          });
        process.stderr.write(
          chosen.name === undefined
            ? "Nothing there is among what --include means, so nothing was written.\n"
            : `Nothing is named "${chosen.name}" there, so nothing was written.\n`,
        );
        return;
      }
      const program = exportProgram(selection, client.configuration, {
        ...{ language, plugin },
        names: readManifest(out).names,
      });
      const { files, resources, leftOut } = program;
      const { written, removed, kept } = writeProgram(out, program, { force });
      if (json) {
        printJson({
          ...{ out, resources, leftOut, unread },
          ...{ written, removed, kept },
        });
        return;
      }
      for (const path of kept)
        process.stderr.write(`${path} has changed since; it stays as it is.\n`);
      process.stdout.write(
        [
          `${resources} resources in ${out}, ${written.length} of ${files.size} files written.`,
          removed.length > 0 &&
            `Removed, because this export does not have them:\n  ${removed.join("\n  ")}`,
          unread.length > 0 &&
            `Left out: all ${unread.map(({ what }) => what).join(", ")}. REPORT.md says what to do.`,
          leftOut.length > 0 &&
            `${leftOut.length} left out: REPORT.md says which, and why.`,
          "README.md says how the program takes the workspace over.\n",
        ]
          .filter(Boolean)
          .join("\n"),
      );
    });
}

/** Adds the choices of one flag to those of the flags before it. */
const choicesFlag = (text: string, earlier: readonly string[] = []) => [
  ...earlier,
  ...text.split(",").map((one) => one.trim()),
];

/** Refuses an export of kinds of which none could be read. @throws UsageError */
function assertSomeRead(
  unread: readonly UnreadKind[],
  include: readonly string[] = CLONE_KINDS,
): void {
  const kinds = CLONE_KINDS.filter((kind) =>
    include.some((one) => one === kind || one.startsWith(`${kind}:`)),
  );
  if (unread.length === 0 || unread.length < kinds.length) return;
  const reasons = unread.map(({ reason }) => reason);
  throw new UsageError(
    `Nothing was written, for nothing of what was to be exported could be read. ${reasons.join(" ")}`,
  );
}

const NOTHING_DONE = { written: [], removed: [], kept: [] };

const isEmpty = ({ workspace }: Selection) =>
  Object.values(workspace.objects).every(({ length }) => length === 0);
