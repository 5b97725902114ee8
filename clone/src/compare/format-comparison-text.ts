import { formatDiffText, visibleText, wrap } from "@devid/rules";
import { styleText } from "node:util";
import {
  hasNoDifference,
  type Comparison,
  type ObjectDifference,
  countDifferences,
  DIFFERENCE_SIGNS,
  notComparedText,
  shownIds,
  shownValue,
} from "./comparison";

const COLORS = { removed: "red", added: "green", changed: "yellow" } as const;

/**
 * Formats a comparison for a terminal of 80 columns; only longer words exceed them.
 * The last character is a line break.
 */
export function formatComparisonText(
  comparison: Comparison,
  { color = false }: { readonly color?: boolean } = {},
): string {
  const { before, after, objects, ruleSets, notCompared } = comparison;
  const names = wrap("", visibleText(`${before} -> ${after}`), "  ");
  const unread = notCompared.map(
    (one) => `${wrap("! ", visibleText(notComparedText(one)), "    ")}\n`,
  );
  if (hasNoDifference(comparison)) {
    const rest = unread.length > 0 ? " in what was compared" : "";
    return [`${names}\n`, ...unread, `No differences${rest}.\n`].join("\n");
  }
  const paint = ({ change }: ObjectDifference, text: string) =>
    color ? styleText(COLORS[change], text, { validateStream: false }) : text;
  const blocks = objects.map((object) =>
    [paint(object, heading(object)), ...fieldLines(object)].join("\n"),
  );
  const rules = ruleSets.map(({ environment, ids, diff }) =>
    formatDiffText(diff, {
      before: `Rules of ${environment} (${shownIds(ids)}): ${before}`,
      after,
      color,
    }),
  );
  return [
    `${names}\n`,
    ...unread,
    ...(blocks.length > 0 ? [`${blocks.join("\n")}\n`] : []),
    ...rules,
    `${countDifferences(comparison)}.\n`,
  ].join("\n");
}

function heading({ change, what, name, ids, environment }: ObjectDifference) {
  const place = environment === undefined ? "" : `, in ${environment}`;
  // Two IDs take half a line, so they get their own.
  const id = change === "changed" ? "" : ` (${shownIds(ids)})`;
  const text = `${what} ${name}${place}${id}`;
  return wrap(`${DIFFERENCE_SIGNS[change]} `, visibleText(text), "    ");
}

function fieldLines({ ids, fields = [] }: ObjectDifference): string[] {
  const lines = fields.map(
    ({ field, before, after }) =>
      `${field} ${shownValue(before)} -> ${shownValue(after)}`,
  );
  if (lines.length > 0) lines.unshift(`ID ${shownIds(ids)}`);
  return lines.map((line) => wrap("    ", visibleText(line), "      "));
}
