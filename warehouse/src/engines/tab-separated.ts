import type { SqlRow } from "../sql";

const ESCAPED: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  0: "\0",
};

/**
 * The cells of a line of ClickHouse's format TabSeparated. Numbers are texts. Every
 * version of ClickHouse writes this format, and no setting of a query is needed for it.
 */
export function tabSeparatedRow(line: string): SqlRow {
  const cells = line.split("\t");
  return line.includes("\\") ? cells.map(cellOf) : cells;
}

function cellOf(cell: string): string | null {
  if (cell === "\\N") return null;
  return cell.replace(
    /\\(.)/gs,
    (_, escaped: string) => ESCAPED[escaped] ?? escaped,
  );
}
