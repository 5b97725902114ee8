import type { ExpressionEdit } from "../../diff/expression-edits";
import type { RuleChange } from "../../diff/rule-change";
import type { TouchedEvents } from "../../diff/diff-on-events";
import {
  describeChange,
  describeEdit,
  describeExpression,
  effectText,
  touchedText,
} from "./describe-diff";

/** Formats a text of a rule so that no part of it is read as markup. */
export type Quote = (text: string) => string;

/** The headings of the columns of `changeCells`. */
export const CHANGE_COLUMNS = [
  "#",
  "Rule",
  "Action",
  "Change",
  "Effect",
] as const;

/**
 * A change as the cells of a table. `quote` decides between Markdown and HTML;
 * both understand `<br>`.
 * @param maxEdits edits of an expression that are shown; the others are counted
 * @param onEvents what the change does to past events
 */
export function changeCells(
  change: RuleChange,
  quote: Quote,
  maxEdits = Infinity,
  onEvents?: TouchedEvents,
): string[] {
  const details = detailsOf(change, quote);
  const rest = details.length - maxEdits;
  const shown = details.slice(0, maxEdits);
  if (rest > 0) shown.push(`and ${rest} more edits`);
  return [
    String(change.position ?? ""),
    quote(change.rule.name),
    quote(change.rule.action),
    [describeChange(change, quote), ...shown].join("<br>"),
    [
      effectText(change.effect, quote),
      ...(onEvents ? [touchedText(onEvents)] : []),
    ].join("<br>"),
  ];
}

function detailsOf(change: RuleChange, quote: Quote): string[] {
  switch (change.kind) {
    case "added":
    case "removed":
      return [quote(describeExpression(change.rule.expression))];
    case "edited":
      return (change.expression?.edits ?? []).map((edit) =>
        editMarkup(edit, quote),
      );
    case "disabled":
    case "enabled":
    case "moved":
      return [];
  }
}

function editMarkup(edit: ExpressionEdit, quote: Quote): string {
  const { sign, code, replacement, note } = describeEdit(edit);
  const place = edit.at === "" ? "" : `in ${quote(edit.at)}: `;
  return replacement === undefined
    ? place + quote(`${sign} ${code}`)
    : `${place}${quote(code)} → ${quote(replacement)}${note === undefined ? "" : `<br>note: ${quote(note)}`}`;
}
