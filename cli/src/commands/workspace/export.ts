import {
  assertChoices,
  CLONE_KINDS,
  exportProgram,
  isSamePart,
  narrowed,
  optionsOf,
  partOf,
  readManifest,
  readWorkspace,
  select,
  writeProgram,
  type ExportedPart,
  type ExportedProgram,
  type Selection,
  type SelectionOptions,
  type UnreadKind,
  type Workspace,
  type WrittenProgram,
} from "@devid/clone";
import type { Client } from "@devid/sdk";
import {
  defineCommand,
  flag,
  parsedFlag,
  textFlag,
  type ValuesOf,
} from "../../flags/define-command";
import { jsonFlag, workspaceFlags } from "../../flags/shared-flags";
import { UsageError } from "../../errors";
import { configuredClient } from "../../sources/configured-client";
import { EXIT } from "../../output/report-error";
import { printJson } from "../../output/write-output";
import { withReadProgress } from "../../output/progress";

const FLAGS = {
  out: textFlag("<folder>", "folder to write the program to").required,
  ...workspaceFlags("only this environment: its keys, webhooks and rules"),
  include: parsedFlag(
    "<choices>",
    `only these: kinds (${CLONE_KINDS.join(", ")}), a kind and a pattern of names (api-keys:shop-*), or IDs; repeatable, with commas between`,
    choicesFlag,
  ),
  exclude: parsedFlag(
    "<choices>",
    "not these, in the same form; excluded objects stay as they are",
    choicesFlag,
  ),
  name: textFlag("<pattern>", "only objects with such a name, e.g. 'shop-*'"),
  add: parsedFlag(
    "<ids>",
    "add these objects to the program in the folder; repeatable",
    choicesFlag,
  ).with((option) =>
    option.conflicts(["environment", "include", "exclude", "name"]),
  ),
  force: flag("write over files that no export wrote, and over another export"),
  json: jsonFlag(),
};

/** `devid export`: writes the workspace as a Pulumi program. */
export const exportCommand = defineCommand({
  flags: FLAGS,
  run: async (flags) => {
    if (flags.add) return addObjects(flags.add, flags);
    const { out, region, force, json, ...asked } = flags;
    const client = configuredClient({ region });
    const workspace = await readWhole(client);
    const earlier = readManifest(out);
    assertChoices(workspace, asked);
    const chosen = withAdded(workspace, asked, earlier.part);
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
          ...{ written: [], removed: [], kept: [] },
        });
      process.stderr.write(
        chosen.name === undefined
          ? "No object matches --include, so nothing was written.\n"
          : `No object is named "${chosen.name}", so nothing was written.\n`,
      );
      return;
    }
    const program = exportProgram(selection, client.configuration, {
      names: earlier.names,
    });
    const result = writeProgram(out, program, { force });
    if (json) printJson(asJson(out, program, result));
    else
      process.stdout.write(
        `${asText(out, program, result)}README.md says how the program takes the workspace over.\n`,
      );
  },
});

/**
 * Adds objects to the program of an earlier export. The objects of the program stay,
 * and no other objects are added.
 */
async function addObjects(
  ids: readonly string[],
  { out, region, force, json }: ValuesOf<typeof FLAGS>,
): Promise<void> {
  const { part, names } = readManifest(out);
  if (!part)
    throw new UsageError(
      `${out} has no export that objects could be added to. Export without --add first.`,
    );
  const client = configuredClient({ region: region ?? part.region });
  const workspace = await readWhole(client);
  if (workspace.defaultEnvironment.id !== part.workspace)
    throw new UsageError(
      `${out} has an export of another workspace, whose default environment is ${part.workspace}; the management key is for ${workspace.defaultEnvironment.id}.`,
    );
  assertIds(workspace, ids);
  const added = new Set([...(part.added ?? []), ...ids]);
  const selection = narrowed(
    select(workspace, { ...optionsOf(part), added: [...added] }),
    (kind, id) => added.has(id) || names[kind]?.[id] !== undefined,
  );
  const program = exportProgram(selection, client.configuration, {
    names,
  });
  const refused = program.leftOut.filter(({ id }) => ids.includes(id));
  if (refused.length > 0)
    throw new UsageError(
      `Nothing was written, because this cannot be declared:${refused.map(({ kind, id, reason }) => `\n  ${kind} ${id}: ${reason}`).join("")}`,
    );
  const result = writeProgram(out, program, { force });
  if (json) printJson(asJson(out, program, result));
  else
    process.stdout.write(
      `${asText(out, program, result)}pulumi up takes what was added over if devid:adopt is byName.\n`,
    );
}

const readWhole = (client: Client) =>
  withReadProgress("Reading", (onProgress) =>
    readWorkspace(client, { onProgress }),
  );

/** @throws UsageError for anything but IDs of objects of the workspace */
function assertIds(workspace: Workspace, ids: readonly string[]): void {
  const known = new Set(
    Object.values(workspace.objects).flatMap((all) => all.map(({ id }) => id)),
  );
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new UsageError(
      `No object of the workspace in region ${workspace.region} has the ID ${unknown.join(", ")}. --add takes IDs, as devid compare and the dashboard show them.`,
    );
}

/** The options of an export, with the objects that were added to the same export before. */
function withAdded(
  workspace: Workspace,
  asked: SelectionOptions,
  earlier: ExportedPart | undefined,
): SelectionOptions {
  const isSame =
    earlier?.added && isSamePart(earlier, partOf(select(workspace, asked)));
  return isSame ? { ...asked, added: earlier.added } : asked;
}

const asJson = (
  out: string,
  { resources, leftOut, unread }: ExportedProgram,
  result: WrittenProgram,
) => ({ out, resources, leftOut, unread, ...result });

function asText(
  out: string,
  { files, resources, leftOut, unread }: ExportedProgram,
  { written, removed, kept }: WrittenProgram,
): string {
  for (const path of kept)
    process.stderr.write(
      `${path} has changed since the last export; it stays as it is.\n`,
    );
  return [
    `${resources} resources in ${out}, ${written.length} of ${files.size} files written.\n`,
    removed.length > 0 &&
      `Removed, because this export does not have them:\n  ${removed.join("\n  ")}\n`,
    unread.length > 0 &&
      `Left out: all ${unread.map(({ what }) => what).join(", ")}. REPORT.md says what to do.\n`,
    leftOut.length > 0 &&
      `${leftOut.length} left out: REPORT.md says which, and why.\n`,
  ]
    .filter(Boolean)
    .join("");
}

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
