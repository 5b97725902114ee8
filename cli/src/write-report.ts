import { writeFileSync } from "node:fs";
import { UsageError } from "./usage-error";

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
