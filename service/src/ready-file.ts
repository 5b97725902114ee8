import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { StartError } from "./service-errors";

/** A file that says where a running service listens, and with which keys. */
export class ReadyFile {
  private readonly text: string;

  constructor(
    private readonly path: string,
    content: { readonly url: string; readonly workspaces: object },
  ) {
    this.text = `${JSON.stringify(content)}\n`;
  }

  /**
   * Writes the file by renaming a finished draft, so that nobody ever reads
   * half of it. Throws StartError.
   */
  write(): void {
    const draft = `${this.path}.${randomUUID()}`;
    try {
      writeFileSync(draft, this.text, { mode: 0o600 });
      renameSync(draft, this.path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw new StartError(
        `Ready file ${this.path} cannot be written: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`,
      );
    }
  }

  /** Removes the file, unless another service has replaced it with its own. */
  remove(): void {
    try {
      if (readFileSync(this.path, "utf8") === this.text) rmSync(this.path);
    } catch {
      // The file is gone already.
    }
  }
}
