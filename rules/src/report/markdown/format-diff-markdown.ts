import { type RuleSetDiff, countChanges } from "../../diff/rule-change";
import { CHANGE_COLUMNS, changeCells } from "../describe/change-cells";
import {
  effectText,
  touchedSentence,
  type DiffNames,
} from "../describe/describe-diff";
import { codeSpan, tableRow } from "./markdown";

const CHANGE_TABLE_HEAD = [
  tableRow(CHANGE_COLUMNS),
  tableRow(["--:", "---", "---", "---", "---"]),
].join("\n");

/**
 * Formats a diff for a review comment: the names of the two rule sets, a table
 * of the changes, and their combined effect. Texts of rules are in code spans,
 * so that they cannot end the table, act as markup, or mention anybody. The
 * result ends with a newline.
 */
export function formatDiffMarkdown(
  { changes, effect }: RuleSetDiff,
  { before, after, onEvents }: DiffNames,
): string {
  const names = `${codeSpan(before)} → ${codeSpan(after)}`;
  if (changes.length === 0) return `${names}\n\nNo differences.\n`;
  const rows = changes.map((change, i) =>
    tableRow(changeCells(change, codeSpan, Infinity, onEvents?.changes[i])),
  );
  const total = [
    `**In total**: ${effectText(effect, codeSpan)}.`,
    ...(onEvents ? [touchedSentence(onEvents, codeSpan)] : []),
  ].join(" ");
  return `${[names, "", CHANGE_TABLE_HEAD, ...rows, "", `${countChanges(changes)}.`, total].join("\n")}\n`;
}
