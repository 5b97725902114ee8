import { codeSpan, formatDiffMarkdown } from "@devid/rules";
import {
  hasNoDifference,
  type BothIds,
  type Comparison,
  type ObjectDifference,
  countDifferences,
  type NotCompared,
  shownIds,
  shownValue,
} from "./comparison";

/**
 * Formats a comparison for a comment of a review: a table of the objects, then the
 * rules of each environment. Every text from a workspace is in a code span, so it
 * can neither break the table, nor act as markup, nor mention a person. The last
 * character is a line break.
 */
export function formatComparisonMarkdown(comparison: Comparison): string {
  const { before, after, objects, ruleSets, notCompared } = comparison;
  const names = `${codeSpan(before)} → ${codeSpan(after)}`;
  const unread = notCompared.map(unreadMarkdown);
  if (hasNoDifference(comparison)) {
    const rest = unread.length > 0 ? " in what was compared" : "";
    return [`${names}\n`, ...unread, `No differences${rest}.\n`].join("\n");
  }
  const rows = objects.map((object) => [
    object.change,
    object.what,
    codeSpan(object.name),
    idsMarkdown(object.ids),
    object.environment === undefined ? "" : codeSpan(object.environment),
    fieldsMarkdown(object),
  ]);
  const table = [
    ["Change", "What", "Name", "ID", "Environment", "Fields"],
    ["---", "---", "---", "---", "---", "---"],
    ...rows,
  ].map((cells) => `| ${cells.map(cell).join(" | ")} |\n`);
  const rules = ruleSets.map(
    ({ environment, ids, diff }) =>
      `### Rules of ${codeSpan(environment)} (${idsMarkdown(ids)})\n\n${formatDiffMarkdown(diff, { before, after })}`,
  );
  return [
    `${names}\n`,
    ...unread,
    ...(rows.length > 0 ? [table.join("")] : []),
    ...rules,
    `**${countDifferences(comparison)}.**\n`,
  ].join("\n");
}

const unreadMarkdown = ({ what, side, reason }: NotCompared) =>
  `**Not compared: ${what}**, because those of ${codeSpan(side)} could not be read: ${codeSpan(reason)}\n`;

const idsMarkdown = (ids: BothIds) => codeSpan(shownIds(ids, "→"));

function fieldsMarkdown({ fields = [] }: ObjectDifference): string {
  return fields
    .map(
      ({ field, before, after }) =>
        `${field} ${codeSpan(shownValue(before))} → ${codeSpan(shownValue(after))}`,
    )
    .join("<br>");
}

/** Escapes the bar, which ends a cell of a table even inside a code span. */
const cell = (markdown: string) => markdown.replaceAll("|", "\\|");
