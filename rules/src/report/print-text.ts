import { styleText } from "node:util";
import {
  columnsOf,
  cutColumns,
  padColumns,
  wrap,
} from "./describe/visible-text";
import { changesText } from "./text/format-diff-text";
import {
  gradeOf,
  plain,
  withoutPictures,
  type Bar,
  type Block,
  type Cell,
  type Column,
  type Prose,
  type Summary,
  type Table,
} from "./describe/block";

const COLORS = { low: "green", medium: "yellow", high: "red" } as const;

/** Columns of a terminal. */
const WIDTH = 80;

/**
 * Prints a report for a terminal. Lines have at most 80 columns if no word is longer.
 * The result ends with a newline.
 */
export function printText(
  blocks: readonly Block[],
  { color = false }: { readonly color?: boolean } = {},
): string {
  return `${paragraphs(blocks, color)}\n`;
}

function paragraphs(blocks: readonly Block[], color: boolean): string {
  let printed = "";
  for (const [i, block] of blocks.entries()) {
    const text = blockText(block, color);
    if (text === "") continue;
    const isOfTextAbove =
      block.kind === "list" && blocks[i - 1]?.kind === "text";
    if (printed !== "") printed += isOfTextAbove ? "\n" : "\n\n";
    printed += text;
  }
  return printed;
}

function blockText(block: Block, color: boolean): string {
  switch (block.kind) {
    case "title":
      return [
        wrap("", plain(block.text), "  "),
        ...block.below.map((line) => wrap("  ", plain(line))),
      ].join("\n");
    case "heading":
    case "text":
      return wrap("", plain(block.text));
    case "list":
      return items(block.items);
    case "table":
      return tableText(block);
    case "changes":
      return block.changes.length === 0
        ? ""
        : changesText(block.changes, color);
    case "lines":
      return block.items.join("\n\n");
    case "fold": {
      const title = wrap("", plain(block.title));
      return block.openIn.includes("text")
        ? `${title}\n\n${paragraphs(block.blocks, color)}`
        : title;
    }
    case "summary":
      return summaryText(block, color);
    case "chart":
      return "";
  }
}

function summaryText(summary: Summary, color: boolean): string {
  const { risk, note, failure, phrases, reasons, conditions } = summary;
  const grade = gradeOf(summary);
  return [
    ...(note === undefined ? [] : [wrap("  ", plain(note)), ""]),
    ...(failure === undefined
      ? []
      : [...failure.split("\n").map((line) => wrap("  ", line).trimEnd()), ""]),
    color ? styleText(COLORS[risk], grade, { validateStream: false }) : grade,
    items(phrases),
    ...[...reasons, ...conditions].map((line) => wrap("", plain(line), "  ")),
  ].join("\n");
}

const items = (texts: readonly Prose[]) =>
  texts
    .flatMap((text) =>
      text
        .split("\n")
        .map((line, i) => wrap(i === 0 ? "  - " : "    ", plain(line))),
    )
    .join("\n");

/** Lengths of bars; a shorter one is drawn if the table is too wide. */
const BAR_WIDTHS = [20, 10];
const GAP = 2;
/** A narrower first column would be hard to read. */
const LEAST_WIDTH = 12;

/**
 * Aligns a table in 80 columns. If it is too wide, its headings take several lines, and a
 * long text of the first column has a line of its own. If it is still too wide, each row
 * is an item of a list.
 */
function tableText(table: Table): string {
  const { columns, rows: cells } = withoutPictures(table);
  const names = columns.map(({ name }) => plain(name));
  const layouts = BAR_WIDTHS.flatMap((barWidth) =>
    [false, true].map((isSplit) => ({
      rows: cells.map((row) => row.map((cell) => cellText(cell, barWidth))),
      heads: names.map((name) => (isSplit ? name.split(" ") : [name])),
    })),
  );
  for (const { rows, heads } of layouts) {
    const widths = fitted(columns, rows, heads, Infinity);
    if (widths) return aligned(columns, rows, heads, widths);
  }
  const { rows, heads } = layouts.at(-1) ?? { rows: [], heads: [] };
  const widths = fitted(columns, rows, heads, LEAST_WIDTH);
  if (widths) return aligned(columns, rows, heads, widths);
  return rows
    .map((cells) =>
      wrap("  - ", cells.filter((cell) => cell !== "").join("; ")),
    )
    .join("\n");
}

/**
 * The widths of columns, or undefined if they do not fit.
 * @param least the first column may be as narrow as this
 */
function fitted(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  heads: readonly (readonly string[])[],
  least: number,
): number[] | undefined {
  const widths = columns.map((_, i) =>
    Math.max(
      ...(heads[i] ?? []).map(columnsOf),
      ...rows.map((cells) => columnsOf(cells[i] ?? "")),
    ),
  );
  const over = widths.reduce((sum, width) => sum + width + GAP, -GAP) - WIDTH;
  const flexible = Math.max(
    0,
    columns.findIndex(({ isCut }) => isCut),
  );
  const width = widths[flexible] ?? 0;
  if (over > 0) widths[flexible] = width - over;
  const isCut = columns[flexible]?.isCut === true;
  const narrowest = Math.min(width, isCut ? LEAST_WIDTH : least);
  return width - Math.max(0, over) >= narrowest ? widths : undefined;
}

function aligned(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  heads: readonly (readonly string[])[],
  widths: readonly number[],
): string {
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => {
        const [column, width = 0] = [columns[i], widths[i]];
        const text = column?.isCut ? cutColumns(cell, width) : cell;
        const padding = " ".repeat(Math.max(0, width - columnsOf(text)));
        return column?.isNumber ? padding + text : padColumns(text, width);
      })
      .join(" ".repeat(GAP))
      .trimEnd();
  const height = Math.max(...heads.map(({ length }) => length));
  const headLines = Array.from({ length: height }, (_, n) =>
    line(heads.map((words) => words[n - height + words.length] ?? "")),
  ).filter((head) => head !== "");
  const [firstWidth = 0] = widths;
  return [
    ...headLines,
    ...rows.flatMap(([first = "", ...rest]) =>
      columnsOf(first) <= firstWidth
        ? [line([first, ...rest])]
        : [wrap("", first, "  "), line(["", ...rest])],
    ),
  ].join("\n");
}

const cellText = (cell: Cell, barWidth: number) =>
  typeof cell === "string"
    ? plain(cell)
    : cell.map((each) => barText(each, barWidth)).join("");

/** The block characters for 0 to 7 eighths. */
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/**
 * Draws a share as a bar of at most `width` block characters; every share above 0 is
 * visible.
 */
export function barText({ value, of }: Bar, width: number): string {
  if (value <= 0 || of <= 0) return "";
  const eighths = Math.min(Math.round((value / of) * width * 8), width * 8);
  const shown = Math.max(1, eighths);
  return "█".repeat(shown >> 3) + (EIGHTHS[shown & 7] ?? "");
}
