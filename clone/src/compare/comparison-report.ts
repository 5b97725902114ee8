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
  isSame,
  shownIds,
  shownValue,
  type Comparison,
  type ObjectDifference,
} from "./comparison";

/**
 * Formats comparisons with the same first side: all of a single one, or a table of what
 * differs in each of several.
 */
export function formatComparison(
  comparisons: readonly Comparison[],
  format: "text" | "markdown",
  { color }: { readonly color?: boolean } = {},
): string {
  const [first, ...others] = comparisons;
  const blocks =
    first && others.length === 0
      ? comparisonBlocks(first)
      : tableBlocks(comparisons);
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

function tableBlocks(comparisons: readonly Comparison[]): Block[] {
  const base = comparisons[0]?.before ?? "";
  const names = comparisons.map(({ after }) => after);
  const rows = rowsOf(comparisons).map(([what, cells]) => [
    code(what),
    ...names.map((_, at) => cells.get(at) ?? "same"),
  ]);
  const counts = comparisons.map(
    (comparison) => `${code(comparison.after)}: ${summaryOf(comparison)}`,
  );
  if (rows.length === 0) return list(counts, "comparisons");
  const columns = [
    { name: `Compared with ${code(base)}`, isCut: true } as const,
    ...names.map((name) => ({ name: code(name) })),
  ];
  return [
    { kind: "table", columns, rows, noun: "differences" },
    ...list(counts, "comparisons"),
    ...text(
      `Values and rules: ${code(`devid compare ${base} ${names[0] ?? ""}`)}`,
    ),
  ];
}

function summaryOf(comparison: Comparison): string {
  if (isSame(comparison)) return "no differences";
  return [
    hasNoDifference(comparison)
      ? "no differences"
      : countDifferences(comparison),
    ...comparison.notCompared.map(
      ({ what, side }) =>
        `${what} not compared: ${code(side)} does not list them`,
    ),
  ].join("; ");
}

/** What differs, and how, by the index of the comparison. Objects of one name share a row. */
function rowsOf(
  comparisons: readonly Comparison[],
): [what: string, cells: ReadonlyMap<number, string>][] {
  const rows = new Map<string, Map<number, string>>();
  const add = (what: string, place: number, cell: string) => {
    const cells = rows.get(what) ?? new Map<number, string>();
    const earlier = cells.get(place);
    cells.set(place, earlier ? `${earlier}; ${cell}` : cell);
    rows.set(what, cells);
  };
  comparisons.forEach(({ objects, ruleSets }, place) => {
    for (const { what, name, environment, change, fields = [] } of objects)
      add(
        `${what} ${name}${environment === undefined ? "" : `, in ${environment}`}`,
        place,
        change === "removed"
          ? "missing"
          : change === "added"
            ? "only here"
            : fields.map(({ field }) => field).join(", "),
      );
    for (const { environment, diff } of ruleSets)
      add(
        `rules of ${environment}`,
        place,
        `${diff.changes.length} change${diff.changes.length === 1 ? "" : "s"}`,
      );
  });
  return [...rows];
}
