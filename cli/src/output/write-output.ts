import { randomUUID } from "node:crypto";
import {
  chmodSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { UsageError } from "../errors";

/** Prints a value as JSON, indented, on standard output. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Writes a report to a file, or to standard output. @throws UsageError when it cannot be written */
export function writeReport(report: string, out: string | undefined): void {
  if (out === undefined) {
    process.stdout.write(report);
    return;
  }
  try {
    writeFileSync(out, report);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UsageError(`${out} cannot be written: ${reason}.`);
  }
}

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
