/** The cells of the lines of a table, which are separated by bars with blanks around them. */
export const cellsOf = (table: string): string[][] =>
  table
    .trim()
    .split("\n")
    .map((line) => line.split(/\s\|(?=\s|$)/).map((cell) => cell.trim()));
