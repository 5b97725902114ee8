import { html, type Content, type Html } from "./html";

/** A column's name, and what a row shows there. */
export type Column<Row> = readonly [name: string, show: (row: Row) => Content];

/**
 * A table that can be scrolled by keyboard; on a narrow screen each row becomes
 * a list of names and values. `label` names it for those who do not see it.
 * `below` is what stands under a row, in its whole width.
 */
export function table<Row>(
  label: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  below?: (row: Row) => Html,
): Html {
  const cells = (row: Row) =>
    columns.map(
      ([name, show]) =>
        html`<td data-name="${name}"><div>${show(row)}</div></td>`,
    );
  return html`<div
    class="scroll"
    role="region"
    aria-label="${label}"
    tabindex="0"
  >
    <table>
      <thead>
        <tr>
          ${columns.map(([name]) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
                ${cells(row)}
              </tr>
              ${
                below &&
                html`<tr class="below">
                  <td colspan="${columns.length}">${below(row)}</td>
                </tr>`
              }`,
        )}
      </tbody>
    </table>
  </div>`;
}
