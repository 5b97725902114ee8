import type { RuleRequest } from "../../language";
import type { Severity } from "../../lint/set/lint";
import type { RuleFileFinding } from "../../rule-file/check-rule-file";
import { visibleText, wrap } from "../describe/visible-text";

/** Colours a text by its severity, or returns it unchanged. */
export type Paint = (severity: Severity, text: string) => string;

/**
 * Formats a finding for people: its place, the line of the file, and what to
 * do. Lines have at most 80 columns if their words allow it.
 * @param file name of the rule file
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
    // Colour codes take no columns.
    `${place} ${paint(severity, kind)}${text.slice(`${place} ${kind}`.length)}`,
    ...finding.frame.split("\n").map(visibleText),
    ...hints(request, fix === undefined ? fix : fix + meaningOf(finding)),
  ].join("\n");
}

/** The lines of a finding about the request that shows it, and about its fix. */
export const hints = (request?: RuleRequest, fix?: string): string[] => [
  ...(request ? [wrap("request: ", visibleText(JSON.stringify(request)))] : []),
  ...(fix === undefined ? [] : [wrap("fix: ", visibleText(fix))]),
];

/** What the fix does to decisions, as a phrase in parentheses. */
function meaningOf({
  keepsMeaning,
  removes,
  changes = [],
}: RuleFileFinding): string {
  if (keepsMeaning === undefined) return "";
  const effects = keepsMeaning ? ["keeps the meaning"] : changes;
  const all = removes ? [...effects, "leaves out what is written"] : effects;
  return ` (${all.join(", ")})`;
}
