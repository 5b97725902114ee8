import { DevidError } from "@devid/sdk";

/** Files are in the way that no export wrote, or that were changed since. */
export class ForeignFileError extends DevidError {
  override readonly name = "ForeignFileError";

  constructor(
    readonly folder: string,
    /** Paths in the folder; none where the folder itself is a file. */
    readonly paths: readonly string[],
  ) {
    super(
      paths.length === 0
        ? `${folder} is a file; name a folder to export to.`
        : `Exporting to ${folder} would write over files that no export wrote, or that were changed since:` +
            paths.map((path) => `\n  ${path}`).join("") +
            `\nExport to another folder and take over what you need, or write over them with --force.`,
    );
  }
}
