import { randomUUID } from "node:crypto";
import {
  chmodSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { UsageError } from "./usage-error";

/**
 * Gives an existing file another text, all of it or nothing: whoever reads it
 * meanwhile sees the old text or the new one. Its permissions stay, and a link
 * goes on leading to it.
 * @throws UsageError when it cannot be written
 */
export function writeFileAtomically(path: string, text: string): void {
  let draft: string | undefined;
  try {
    const target = realpathSync(path);
    draft = `${target}.${randomUUID()}`;
    const { mode } = statSync(target);
    writeFileSync(draft, text, { flag: "wx", mode });
    // The process's mask may have taken permissions away.
    chmodSync(draft, mode);
    renameSync(draft, target);
  } catch (error) {
    if (draft !== undefined) rmSync(draft, { force: true });
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UsageError(`${path} cannot be written: ${reason}.`);
  }
}
