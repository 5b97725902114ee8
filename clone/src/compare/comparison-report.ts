import {
  code,
  diffBlocks,
  list,
  printMarkdown,
  printText,
  text,
  type Block,
} from "@devid/rules/internals";
import {
  countDifferences,
  hasNoDifference,
  shownIds,
  shownValue,
  type Comparison,
  type ObjectDifference,
} from "./comparison";

/** Formats comparisons, one after another. */
export function formatComparison(
  comparisons: readonly Comparison[],
  format: "text" | "markdown",
  { color }: { readonly color?: boolean } = {},
): string {
  const blocks = comparisons.flatMap(comparisonBlocks);
  return format === "markdown"
    ? printMarkdown(blocks)
    : printText(blocks, { color });
}

function comparisonBlocks(comparison: Comparison): Block[] {
  const { before, after, objects, ruleSets, notCompared } = comparison;
  const read: Block[] = [
    { kind: "title", text: `${code(before)} -> ${code(after)}`, below: [] },
    ...notCompared.flatMap(({ what, side, reason }) =>
      text(
        `Not compared: ${what}, because those of ${code(side)} could not be read: ${code(reason)}`,
      ),
    ),
  ];
  if (hasNoDifference(comparison)) {
    const rest = notCompared.length > 0 ? " in what was compared" : "";
    return [...read, ...text(`No differences${rest}.`)];
  }
  return [
    ...read,
    ...list(objects.map(objectLines), "objects"),
    ...ruleSets.flatMap(({ environment, ids, diff }): Block[] => [
      {
        kind: "heading",
        text: `Rules of ${code(environment)} (${code(shownIds(ids))})`,
      },
      ...diffBlocks(diff, { before, after }),
    ]),
    ...text(`${countDifferences(comparison)}.`),
  ];
}

function objectLines(object: ObjectDifference): string {
  const { change, what, name, ids, environment, fields = [] } = object;
  const place = environment === undefined ? "" : `, in ${code(environment)}`;
  return [
    `${change} ${what} ${code(name)}${place} (${code(shownIds(ids))})`,
    ...fields.map(
      ({ field, before, after }) =>
        `${field} ${code(shownValue(before))} -> ${code(shownValue(after))}`,
    ),
  ].join("\n");
}
