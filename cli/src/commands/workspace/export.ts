import {
  assertChoices,
  CLONE_KINDS,
  exportProgram,
  readManifest,
  readWorkspace,
  select,
  writeProgram,
  type Selection,
  type UnreadKind,
} from "@devid/clone";
import {
  defineCommand,
  flag,
  parsedFlag,
  textFlag,
} from "../../flags/define-command";
import { jsonFlag, workspaceFlags } from "../../flags/shared-flags";
import { UsageError } from "../../errors";
import { configuredClient } from "../../sources/configured-client";
import { EXIT } from "../../output/report-error";
import { printJson } from "../../output/write-output";
import { withReadProgress } from "../../output/progress";

const FLAGS = {
  out: textFlag("<folder> folder to write the program to").required,
  ...workspaceFlags("only this environment: its keys, webhooks and rules"),
  include: parsedFlag(
    `<choices> only these: kinds (${CLONE_KINDS.join(", ")}), a kind and a pattern of names (api-keys:shop-*), or IDs; repeatable, with commas between`,
    choicesFlag,
  ),
  exclude: parsedFlag(
    "<choices> not these, in the same form; excluded objects stay as they are",
    choicesFlag,
  ),
  force: flag("write over files that no export wrote, and over another export"),
  json: jsonFlag(),
};

/** `devid export`: writes the workspace as a Pulumi program. */
export const exportCommand = defineCommand({
  flags: FLAGS,
  run: async (flags) => {
    const { out, region, force, json, ...asked } = flags;
    if (out === "")
      throw new UsageError(
        "The name of the folder to be written is empty: is a variable not set?",
      );
    const client = configuredClient({ region });
    const earlier = readManifest(out);
    const workspace = await withReadProgress("Reading", (onProgress) =>
      readWorkspace(client, { onProgress }),
    );
    assertChoices(workspace, asked);
    const selection = select(workspace, asked);
    const { unread } = selection.workspace;
    assertSomeRead(unread, asked.include);
    for (const { what, reason } of unread)
      process.stderr.write(
        `The ${what} could not be read and are left out: ${reason}\n`,
      );
    const isNarrowed = asked.include?.some((one) => /[:_]/.test(one));
    if (isNarrowed && isEmpty(selection)) {
      process.exitCode = EXIT.differences;
      if (json)
        printJson({
          ...{ out, resources: 0, leftOut: [], unread },
          ...{ written: [], removed: [], kept: [] },
        });
      process.stderr.write(
        "No object matches --include, so nothing was written.\n",
      );
      return;
    }
    const program = exportProgram(selection, client.configuration, {
      names: earlier.names,
    });
    const result = writeProgram(out, program, { force });
    const { resources, leftOut } = program;
    if (json) return printJson({ out, resources, leftOut, unread, ...result });
    const { written, removed, kept } = result;
    for (const path of kept)
      process.stderr.write(
        `${path} has changed since the last export; it stays as it is.\n`,
      );
    process.stdout.write(
      [
        `${resources} resources in ${out}, ${written.length} of ${program.files.size} files written.\n`,
        removed.length > 0 &&
          `Removed, because this export does not have them:\n  ${removed.join("\n  ")}\n`,
        unread.length > 0 &&
          `Left out: all ${unread.map(({ what }) => what).join(", ")}. REPORT.md says what to do.\n`,
        leftOut.length > 0 &&
          `${leftOut.length} left out: REPORT.md says which, and why.\n`,
        "README.md says how the program takes the workspace over.\n",
      ]
        .filter(Boolean)
        .join(""),
    );
  },
});

/** Adds the choices of one flag to those of the flags before it. */
function choicesFlag(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, ...text.split(",").map((one) => one.trim())];
}

/** Refuses an export if none of its kinds could be read. @throws UsageError */
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
    `Nothing was written, because none of the objects to export could be read. ${reasons.join(" ")}`,
  );
}

const isEmpty = ({ workspace }: Selection) =>
  Object.values(workspace.objects).every(({ length }) => length === 0);
