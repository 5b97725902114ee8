import { type Content, html, type Html } from "./html";

/** How something went: it is told by its word, the colour only helps. */
export function badge(
  tone: "good" | "bad" | "wait" | "plain",
  word: string | number,
): Html {
  return html`<span class="badge ${tone}">${word}</span>`;
}

/** A time of the service's clock, in UTC, to the second; the rest of it on hovering. */
export function time(at: string | number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}" title="${iso}"
    >${iso.slice(0, 10)} <b>${iso.slice(11, 19)}</b></time
  >`;
}

/** Something that opens by click or key. `id` is the same in every version of the page, so that it stays open. */
export function more(id: string, title: Content, content: Content): Html {
  return html`<details id="${id}">
    <summary id="${id}-summary">${title}</summary>
    ${content}
  </details>`;
}

/** A column's name, and what a row shows there. */
type Column<Row> = readonly [name: string, show: (row: Row) => Content];

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

/**
 * A whole document. Everything it needs comes from this origin: nothing is
 * written into it that a Content-Security-Policy would have to allow.
 */
export function page(title: string, script: string, body: Content): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/console/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/console/console.css" />
        <script type="module" src="/console/${script}"></script>
      </head>
      <body>
        <a class="skip" href="#main">To the content</a>
        ${body}
      </body>
    </html> `;
}
