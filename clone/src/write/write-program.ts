import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DevidError } from "@devid/sdk";
import {
  assertPlain,
  hashOnDisk,
  isStackConfig,
  readManifest,
  removeDrafts,
  removeFromDisk,
  textOnDisk,
  writeManifest,
  writeToDisk,
} from "./export-manifest";
import type { ExportedProgram } from "./export-program";
import type { KeptNames } from "../declare/references";
import { isSamePart, OtherPartError } from "./exported-part";

/** The result of an export into a folder. All members are paths in the folder. */
export interface WrittenProgram {
  readonly written: readonly string[];
  /** Files of an earlier export that this export lacks. */
  readonly removed: readonly string[];
  /** Files of stack config that were changed after the last export, and stay unchanged. */
  readonly kept: readonly string[];
}

/** The folder has files that no export wrote, or that were changed after the export. */
export class ForeignFileError extends DevidError {
  override readonly name = "ForeignFileError";
}

/** A new export would take resources out of a program although the workspace has their objects; nothing was written. */
export class LostResourceError extends DevidError {
  override readonly name = "LostResourceError";
}

/**
 * Writes the files of a program into a folder, which may have an earlier export and
 * other files. After a kill, the same call goes on. Without `force`, it overwrites or
 * removes only files that an export wrote and nobody changed, and refuses a folder with
 * an export of another part of a workspace. Over an export of the same part, it never
 * takes a resource whose object still exists out of the program. Changed stack config
 * always stays, because Pulumi itself writes to it. Only the owner can read the files.
 * @throws IndirectPathError, OtherPartError, LostResourceError, ForeignFileError,
 * NewerExportError before anything is written; ProgramFileError for a file that cannot be
 * read or written
 */
export function writeProgram(
  folder: string,
  program: ExportedProgram,
  { force = false }: { readonly force?: boolean } = {},
): WrittenProgram {
  const { files, part } = program;
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new ForeignFileError(
      `${folder} is a file; name a folder to export to.`,
    );
  const { files: last, earlier, ...found } = readManifest(folder);
  const before = { ...earlier, ...last };
  const isThere = (path: string) => existsSync(join(folder, path));
  // A link may lead out of the folder, so not even --force writes there.
  assertPlain(folder, new Set([...files.keys(), ...Object.keys(before)]));
  const changed = [...files.keys()].filter(
    (path) => textOnDisk(folder, path) !== files.get(path),
  );
  const gone = Object.keys(before).filter(
    (path) => !files.has(path) && isThere(path),
  );
  const foreign = [...changed, ...gone].filter(
    (path) =>
      isThere(path) &&
      ![last[path], earlier[path]].includes(hashOnDisk(folder, path)),
  );
  const kept = foreign.filter((path) => isStackConfig(path) && path in before);
  const written = changed.filter((path) => !kept.includes(path));
  const overwritten = written.filter(isThere);
  const isSame = found.part && isSamePart(found.part, part);
  if (found.part && !isSame && !force)
    throw new OtherPartError(folder, found.part, part, gone, overwritten);
  if (isSame) refuseLost(folder, found.names, program);
  const refused = foreign.filter((path) => !kept.includes(path));
  if (refused.length > 0 && !force)
    throw new ForeignFileError(
      [
        `Exporting to ${folder} would write over files that no export wrote, or that were changed since:`,
        ...refused.map((path) => `  ${path}`),
        "Export to another folder and take over what you need, or write over them with --force.",
      ].join("\n"),
    );

  removeDrafts(folder);
  if (written.length + gone.length > 0)
    // If this export is killed, the next one knows the files of both.
    writeManifest(folder, program, [...overwritten, ...gone]);
  for (const path of written) writeToDisk(folder, path, files.get(path) ?? "");
  for (const path of gone) removeFromDisk(folder, path);
  writeManifest(folder, program);
  return { written, removed: gone, kept };
}

/**
 * Refuses an export that lacks resources of an earlier one although the workspace still has
 * their objects.
 * @throws LostResourceError
 */
function refuseLost(
  folder: string,
  earlier: KeptNames,
  { names, whole, leftOut }: ExportedProgram,
): void {
  const lost = Object.entries(earlier).flatMap(([kind, resources]) =>
    Object.entries(resources)
      .filter(
        ([id]) =>
          names[kind]?.[id] === undefined &&
          whole.objects[kind]?.some((object) => object.id === id),
      )
      .map(([id, name]) => {
        const { reason } = leftOut.find(
          (one) => one.kind === kind && one.id === id,
        ) ?? {
          reason: "it is not in the part of the workspace that is exported",
        };
        return `  ${kind} "${name}" (${id}): ${reason}`;
      }),
  );
  if (lost.length > 0)
    throw new LostResourceError(
      [
        `The program in ${folder} declares objects that the workspace still has and that this export would leave out. The next pulumi up would delete them, so nothing was written:`,
        ...lost,
        "Update devid if it does not know a value. Otherwise export to another folder, and take over from there what you need.",
      ].join("\n"),
    );
}
