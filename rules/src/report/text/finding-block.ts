import type { Severity } from "../../lint/lint";
import type { RuleFileFinding } from "../../rule-file/check-rule-file";
import { visibleText, wrap } from "../describe/visible-text";

/** How a text of a severity is shown: in its colour, or as it is. */
export type Paint = (severity: Severity, text: string) => string;

/**
 * A finding for people, on lines of at most 80 columns where words allow it:
 * its place, the line that it is about and what to do.
 * @param file what the rule file is called
 */
export function findingBlock(
  finding: RuleFileFinding,
  file: string,
  paint: Paint = (_, text) => text,
): string {
  const { line, column, severity, code, rule, fix, request } = finding;
  const place = visibleText(`${file}:${line}:${column}`);
  const kind = `${severity} ${code}`;
  const about = rule === undefined ? "" : `rule "${rule}": `;
  const said = visibleText(about + finding.message);
  const text = wrap(`${place} ${kind} `, said, "  ");
  return [
    // Colours take no columns.
    `${place} ${paint(severity, kind)}${text.slice(`${place} ${kind}`.length)}`,
    ...finding.frame.split("\n").map(visibleText),
    ...(request
      ? [wrap("request: ", visibleText(JSON.stringify(request)))]
      : []),
    ...(fix === undefined ? [] : [wrap("fix: ", visibleText(fix))]),
  ].join("\n");
}
