import type { RuleFileFinding, Severity } from "@devid/sdk/rules";
import { wrap } from "@devid/sdk/wrap";

/** A finding and the file that it is in. */
export interface FileFinding extends RuleFileFinding {
  readonly file: string;
}

/** How a text of a severity is shown: in its colour, or as it is. */
export type Paint = (severity: Severity, text: string) => string;

/**
 * What was found in rule files, for people: a block for each finding with its
 * place, the line that it is about and what to do, and a last line that counts.
 * Lines have at most 80 columns where their words allow it.
 */
export function findingsReport(
  findings: readonly FileFinding[],
  files: number,
  paint: Paint,
): string {
  const blocks = findings.map((finding) => `${block(finding, paint)}\n\n`);
  return `${blocks.join("")}${summary(findings, files)}\n`;
}

function block(finding: FileFinding, paint: Paint): string {
  const { file, line, column, severity, code, rule, fix, request } = finding;
  const place = `${file}:${line}:${column}`;
  const kind = `${severity} ${code}`;
  const about = rule === undefined ? "" : `rule "${rule}": `;
  const text = wrap(`${place} ${kind} `, `${about}${finding.message}`, "  ");
  return [
    // Colours take no columns.
    `${place} ${paint(severity, kind)}${text.slice(`${place} ${kind}`.length)}`,
    finding.frame,
    ...(request ? [wrap("request: ", JSON.stringify(request))] : []),
    ...(fix === undefined ? [] : [wrap("fix: ", fix)]),
  ].join("\n");
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
