import { findingBlock, type Paint, type RuleFileFinding } from "@devid/rules";

/** A finding with the file that it is in. */
export interface FileFinding extends RuleFileFinding {
  readonly file: string;
}

/**
 * Formats findings in rule files for people: a block for each with its place,
 * the line of the file and what to do, and a last line with the counts. Lines
 * have at most 80 columns if their words allow it.
 */
export function findingsReport(
  findings: readonly FileFinding[],
  files: number,
  paint: Paint,
): string {
  const blocks = findings.map(
    (finding) => `${findingBlock(finding, finding.file, paint)}\n\n`,
  );
  return `${blocks.join("")}${summary(findings, files)}\n`;
}

function summary(findings: readonly FileFinding[], files: number): string {
  const counts = (["error", "warning", "note"] as const)
    .map((severity) => ({
      severity,
      n: findings.filter((finding) => finding.severity === severity).length,
    }))
    .filter(({ n }) => n > 0)
    .map(({ n, severity }) => count(n, severity));
  return `${counts.join(", ") || "Nothing found"} in ${count(files, "file")}.`;
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;
