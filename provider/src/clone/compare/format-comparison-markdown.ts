import { codeSpan, formatDiffMarkdown } from "@devid/rules";
import {
  isSame,
  type Comparison,
  type ObjectDifference,
  countDifferences,
  shownValue,
} from "./comparison";

/**
 * A comparison for a comment of a review: a table of the objects, and the rules
 * of each environment. All that comes from a workspace stands in code spans, so
 * that it can neither end the table, nor be read as markup, nor mention anybody.
 * It ends in a line end.
 */
export function formatComparisonMarkdown(comparison: Comparison): string {
  const { before, after, objects, ruleSets } = comparison;
  const names = `${codeSpan(before)} → ${codeSpan(after)}`;
  if (isSame(comparison)) return `${names}\n\nNo differences.\n`;
  const rows = objects.map((object) => [
    object.change,
    object.what,
    codeSpan(object.name),
    object.environment === undefined ? "" : codeSpan(object.environment),
    fieldsMarkdown(object),
  ]);
  const table = [
    ["Change", "What", "Name", "Environment", "Fields"],
    ["---", "---", "---", "---", "---"],
    ...rows,
  ].map((cells) => `| ${cells.map(cell).join(" | ")} |\n`);
  const rules = ruleSets.map(
    ({ environment, diff }) =>
      `### Rules of ${codeSpan(environment)}\n\n${formatDiffMarkdown(diff, { before, after })}`,
  );
  return [
    `${names}\n`,
    ...(rows.length > 0 ? [table.join("")] : []),
    ...rules,
    `**${countDifferences(comparison)}.**\n`,
  ].join("\n");
}

function fieldsMarkdown({ fields = [] }: ObjectDifference): string {
  return fields
    .map(
      ({ field, before, after }) =>
        `${field} ${codeSpan(shownValue(before))} → ${codeSpan(shownValue(after))}`,
    )
    .join("<br>");
}

/** In a table a bar ends the cell, in code, too. */
const cell = (markdown: string) => markdown.replaceAll("|", "\\|");
