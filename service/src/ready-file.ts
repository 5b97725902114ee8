import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { StartError } from "./service-errors";

/** A file that tells where a running service is. */
export class ReadyFile {
  private readonly text: string;

  constructor(
    private readonly path: string,
    content: { readonly url: string; readonly workspaces: object },
  ) {
    this.text = `${JSON.stringify(content)}\n`;
  }

  /** Puts the file there as a whole: whoever sees it can read all of it. Throws StartError. */
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

  /** Takes the file away, unless another service has put its own there. */
  remove(): void {
    try {
      if (readFileSync(this.path, "utf8") === this.text) rmSync(this.path);
    } catch {
      // Somebody else took it away, which is as good.
    }
  }
}
