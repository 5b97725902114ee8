import { codeSpan, columnsOf, visibleText } from "@devid/rules";
import { countDifferences, isSame, type Comparison } from "./comparison";

/**
 * A row of the table: the differences of one object, or of the rules of one
 * environment.
 */
interface Row {
  /** `API key Shop server`, `rules of Staging`. */
  readonly what: string;
  /**
   * The differences, by the index of the comparison. Absent if there is no difference.
   */
  readonly cells: Map<number, string>;
}

const WIDTH = 80;
const NARROWEST_CELL = 8;
const WIDEST_NAME = 44;

/**
 * Formats several comparisons with the same first side as a table: a row for each
 * object that differs, a column for each further side. The last character is a line
 * break.
 */
export function formatComparisonTable(
  comparisons: readonly Comparison[],
  format: "text" | "markdown" = "text",
): string {
  const rows = rowsOf(comparisons);
  const base = comparisons[0]?.before ?? "";
  const names = comparisons.map(({ after }) => after);
  const counts = comparisons.map(
    (comparison) =>
      `${comparison.after}: ${isSame(comparison) ? "no differences" : summaryOf(comparison)}`,
  );
  return format === "markdown"
    ? markdown(rows, base, names, counts)
    : text(rows, base, names, counts);
}

function summaryOf(comparison: Comparison): string {
  const { objects, ruleSets, notCompared } = comparison;
  const isFree = objects.length + ruleSets.length === 0;
  return [
    isFree ? "no differences" : countDifferences(comparison),
    ...notCompared.map(
      ({ what, side }) => `${what} not compared: ${side} does not list them`,
    ),
  ].join("; ");
}

function rowsOf(comparisons: readonly Comparison[]): Row[] {
  const rows = new Map<string, Row>();
  const add = (what: string, place: number, cell: string) => {
    const row: Row = rows.get(what) ?? { what, cells: new Map() };
    const earlier = row.cells.get(place);
    // Several objects of one name share a row.
    row.cells.set(place, earlier ? `${earlier}; ${cell}` : cell);
    rows.set(what, row);
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
  return [...rows.values()];
}

const SAME = "same";

function text(
  rows: readonly Row[],
  base: string,
  names: readonly string[],
  counts: readonly string[],
): string {
  const first = [`compared with ${base}`, ...rows.map(({ what }) => what)].map(
    visibleText,
  );
  const name = Math.min(WIDEST_NAME, Math.max(...first.map(columnsOf)));
  const cell = Math.max(
    NARROWEST_CELL,
    Math.floor((WIDTH - name) / Math.max(1, names.length)) - 2,
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((one, at) => fitted(visibleText(one), at === 0 ? name : cell))
      .join("  ")
      .trimEnd();
  return [
    ...(rows.length > 0
      ? [
          line([first[0] ?? "", ...names]),
          ...rows.map(({ what, cells }) =>
            line([what, ...names.map((_, at) => cells.get(at) ?? SAME)]),
          ),
          "",
        ]
      : []),
    ...counts.map((count) => `${visibleText(count)}.`),
    ...(rows.length > 0
      ? [`Values and rules: devid compare ${base} ${names[0]}`]
      : []),
    "",
  ].join("\n");
}

function markdown(
  rows: readonly Row[],
  base: string,
  names: readonly string[],
  counts: readonly string[],
): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((one) => one.replaceAll("|", "\\|")).join(" | ")} |\n`;
  const table =
    rows.length === 0
      ? []
      : [
          line([`Compared with ${codeSpan(base)}`, ...names.map(codeSpan)]) +
            line(["---", ...names.map(() => "---")]) +
            rows
              .map(({ what, cells }) =>
                line([
                  codeSpan(what),
                  ...names.map((_, at) => cells.get(at) ?? SAME),
                ]),
              )
              .join(""),
        ];
  return [...table, `${counts.map((one) => `- ${one}\n`).join("")}`].join("\n");
}

/** A text in exactly this number of columns. A longer text is cut and ends with `…`. */
function fitted(words: string, width: number): string {
  let shown = words;
  while (columnsOf(shown) > width)
    shown = `${[...shown].slice(0, -2).join("")}…`;
  return shown + " ".repeat(width - columnsOf(shown));
}
