/** The cells of the lines of a table, which are separated by bars with blanks around them. */
export const cellsOf = (table: string): string[][] =>
  rowsOf(table).map(([line = ""]) =>
    line.split(/\s\|(?=\s|$)/).map((cell) => cell.trim()),
  );

/**
 * The rows of a table, each with the indented lines below it. A line that begins with `//` is
 * a comment.
 */
export const rowsOf = (table: string): string[][] =>
  table
    .replace(/^\/\/.*\n/gm, "")
    .trim()
    .split(/\n+(?! |\n)/)
    .map((row) => row.split("\n").map((line) => line.trim()));
