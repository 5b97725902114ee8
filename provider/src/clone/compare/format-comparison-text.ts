import { formatDiffText, visibleText, wrap } from "@devid/rules";
import { styleText } from "node:util";
import {
  isSame,
  type Comparison,
  type ObjectDifference,
  countDifferences,
  DIFFERENCE_SIGNS,
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
  const { before, after, objects, ruleSets } = comparison;
  const names = wrap("", visibleText(`${before} -> ${after}`), "  ");
  if (isSame(comparison)) return `${names}\n\nNo differences.\n`;
  const paint = ({ change }: ObjectDifference, text: string) =>
    color ? styleText(COLORS[change], text, { validateStream: false }) : text;
  const blocks = objects.map((object) =>
    [paint(object, heading(object)), ...fieldLines(object)].join("\n"),
  );
  const rules = ruleSets.map(({ environment, diff }) =>
    formatDiffText(diff, {
      before: `Rules of ${environment}: ${before}`,
      after,
      color,
    }),
  );
  return [
    `${names}\n`,
    ...(blocks.length > 0 ? [`${blocks.join("\n")}\n`] : []),
    ...rules,
    `${countDifferences(comparison)}.\n`,
  ].join("\n");
}

function heading({ change, what, name, environment }: ObjectDifference) {
  const place = environment === undefined ? "" : `, in ${environment}`;
  const text = `${what} ${name}${place}`;
  return wrap(`${DIFFERENCE_SIGNS[change]} `, visibleText(text), "    ");
}

function fieldLines({ fields = [] }: ObjectDifference): string[] {
  return fields.map(({ field, before, after }) =>
    wrap(
      "    ",
      visibleText(`${field} ${shownValue(before)} -> ${shownValue(after)}`),
      "      ",
    ),
  );
}
