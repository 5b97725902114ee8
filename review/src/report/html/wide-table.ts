import { type Markup, markup, type MarkupPart } from "./markup";

/**
 * A table as wide as the page; on a narrow screen, a list of labelled cells.
 * @param classes `wide`, or with the name of the widths of its columns
 * @param numbers the places of columns with numbers
 */
export function wideTable(
  classes: string,
  columns: readonly string[],
  rows: readonly (readonly MarkupPart[])[],
  numbers: readonly number[] = [],
): Markup {
  const align = (n: number) => numbers.includes(n) && markup` class="number"`;
  const row = (cells: readonly MarkupPart[]) =>
    markup`<tr>${cells.map((cell, n) => {
      const label = columns[n];
      return markup`<td${label && markup` data-label="${label}"`}${align(n)}>${cell}</td>`;
    })}</tr>
`;
  return markup`<table class="${classes}">
<tr>${columns.map((column, n) => markup`<th${align(n)}>${column}</th>`)}</tr>
${rows.map(row)}</table>
`;
}
