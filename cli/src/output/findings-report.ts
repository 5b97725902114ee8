import {
  findingBlock,
  visibleText,
  wrap,
  type Paint,
  type RuleFileFinding,
} from "@devid/rules";
import { count, grouped, lines, printText, text } from "@devid/rules/internals";

/** A finding with the file that it is in. */
export interface FileFinding extends RuleFileFinding {
  readonly file: string;
}

/** What a check found and did. */
export interface CheckedFiles {
  readonly findings: readonly FileFinding[];
  /** Findings whose fixes were applied. */
  readonly fixed?: readonly FileFinding[];
  /** How many files. */
  readonly files: number;
}

/**
 * Formats findings in rule files for people: a block for each with its place,
 * the line of the file and what to do, and a last line with the counts. Lines
 * have at most 80 columns if their words allow it.
 */
export function findingsReport(
  { findings, fixed = [], files }: CheckedFiles,
  paint: Paint,
): string {
  const done = fixed.map(({ file, code, rule, fix }) =>
    wrap(
      `fixed ${visibleText(file)} ${code} `,
      visibleText(
        `${rule === undefined ? "" : `rule "${rule}": `}${fix ?? ""}`,
      ),
      "  ",
    ),
  );
  const found = findings.map((one) => findingBlock(one, one.file, paint));
  const counts = [
    summary(findings, files),
    ...(fixed.length === 0
      ? []
      : [
          `${grouped(fixed.length)} ${fixed.length === 1 ? "fix" : "fixes"} applied`,
        ]),
  ];
  return printText([
    ...lines(done.length === 0 ? [] : [done.join("\n")], "fixes"),
    ...lines(found, "findings"),
    ...text(`${counts.join("; ")}.`),
  ]);
}

function summary(findings: readonly FileFinding[], files: number): string {
  const counts = ["error", "warning", "note"].flatMap((severity) => {
    const found = findings.filter((finding) => finding.severity === severity);
    return found.length === 0 ? [] : [count(found.length, severity)];
  });
  return `${counts.join(", ") || "Nothing found"} in ${count(files, "file")}`;
}
