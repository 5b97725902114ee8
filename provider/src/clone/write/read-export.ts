import { hashOnDisk, readManifest, textOnDisk } from "./export-manifest";
import { NoExportError } from "./no-export-error";
import type { Selection } from "../read/selection";
import { WORKSPACE_FILE, readWorkspaceFile } from "./workspace-file";

/** What an export found, read back from its folder. */
export interface ReadExport {
  readonly selection: Selection;
  /** Files that were changed since they were written: what they declare now is not known. */
  readonly changed: readonly string[];
}

/** Reads back what an export found. @throws NoExportError */
export function readExport(folder: string): ReadExport {
  const text = textOnDisk(folder, WORKSPACE_FILE);
  if (text === undefined)
    throw new NoExportError(
      `${folder} has no ${WORKSPACE_FILE}; it is not a folder that devid export wrote.`,
    );
  const written = Object.entries(readManifest(folder));
  const changed = written
    .filter(([path, hash]) => hashOnDisk(folder, path) !== hash)
    .map(([path]) => path);
  try {
    return { selection: readWorkspaceFile(text), changed };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NoExportError(
      `${folder}/${WORKSPACE_FILE} cannot be read: ${reason}. Export again.`,
    );
  }
}
