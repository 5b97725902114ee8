import { type MarkupPart, markup, type Markup } from "@devid/review/internals";

/**
 * A coloured word for a state. The word has the whole meaning; the colour only helps
 * the eye.
 */
export function badge(
  tone: "good" | "bad" | "wait" | "plain",
  word: string | number,
): Markup {
  return markup`<span class="badge ${tone}">${word}</span>`;
}

/**
 * A time of the service's clock, in UTC, to the second. The whole time shows on
 * hovering.
 */
export function time(at: string | number): Markup {
  const iso = new Date(at).toISOString();
  return markup`<time datetime="${iso}" title="${iso}"
    >${iso.slice(0, 10)} <b>${iso.slice(11, 19)}</b></time
  >`;
}

/** How many characters of a text a row of a table shows. */
const SHORT = 200;

/** Whether a row shows only the beginning of a text. */
export function cutOff(text: string): boolean {
  return text.length > SHORT;
}

/** The beginning of a text of unknown length. */
export function short(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || !cutOff(text))
    return text ?? undefined;
  return `${text.slice(0, SHORT)}…`;
}

/**
 * A line that opens by mouse or keyboard and shows the content of another page of the
 * console. That page is loaded only when the line opens, so a list stays small. The
 * `id` must be the same in every version of the page, so that an update leaves the line
 * open.
 */
export function more(
  id: string,
  title: MarkupPart,
  href: string,
  what: string,
): Markup {
  return markup`<details id="${id}" data-href="${href}">
    <summary id="${id}-summary">${title}</summary>
    <div><a href="${href}">${what}</a></div>
  </details>`;
}

/** How many characters of a text a page of its own shows. */
const LONG = 64_000;

/**
 * A text in a box that the keyboard can scroll, under a title. `whole` is the address
 * of the whole text, if it is too long for the page.
 */
export function box(title: string, text: string, whole: string): Markup {
  return markup`<h3>${title}</h3>
    <pre tabindex="0" role="group" aria-label="${title}">
${text.slice(0, LONG)}</pre>
    ${
      text.length > LONG &&
      markup`<p>
        These are the first ${LONG} of ${text.length} characters.
        <a href="${whole}">The whole text</a>
      </p>`
    }`;
}

/** How many characters of a name never stand in two lines. */
const WHOLE = 32;

/** The name of a rule, which keeps its hyphens together. */
export function ruleName(name: string): Markup {
  return markup`<b class="${name.length <= WHOLE && "whole"}">${short(name)}</b>`;
}

/** A list of names and values. */
export function facts(
  pairs: readonly (readonly [name: string, value: MarkupPart])[],
): Markup {
  return markup`<dl>
    ${pairs.map(
      ([name, value]) =>
        markup`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/**
 * The name of a column, and what a row shows in it. A word may only be broken in a
 * `long` column, which has addresses and expressions.
 */
type Column<Row> = readonly [
  name: string,
  show: (row: Row) => MarkupPart,
  kind?: "long",
];

/**
 * A table that the keyboard can scroll. On a narrow screen each row becomes a
 * list of names and values. Screen readers read `label` as its name. `below`
 * makes a second line under a row, over the whole width.
 */
export function table<Row>(
  label: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  below?: (row: Row) => Markup,
): Markup {
  const cells = (row: Row) =>
    columns.map(
      ([name, show, kind]) =>
        markup`<td data-name="${name}" ${kind && markup`class="${kind}"`}>
          <div>${show(row)}</div>
        </td>`,
    );
  return markup`<div
    class="scroll"
    role="group"
    aria-label="${label}"
    tabindex="0"
  >
    <table>
      <thead>
        <tr>
          ${columns.map(([name]) => markup`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            markup`<tr>
                ${cells(row)}
              </tr>
              ${
                below &&
                markup`<tr class="below">
                  <td colspan="${columns.length}">${below(row)}</td>
                </tr>`
              }`,
        )}
      </tbody>
    </table>
  </div>`;
}

/**
 * The sentence below a list that shows only the last rows: their number, and the call
 * that lists all rows.
 */
export function lastOf(shown: number, path: string): Markup {
  return markup`<p>
    These are the last ${shown}. <code>GET ${path}</code> lists all that are
    kept.
  </p>`;
}

/** The top of a page: its name beside that of the program, and links to other pages. */
export function header(name: MarkupPart, links: MarkupPart): Markup {
  return markup`<header>
    <h1>devid <small>${name}</small></h1>
    <nav aria-label="Pages">${links}</nav>
  </header>`;
}

/**
 * A whole HTML document, with the name of its script if it has one. It loads scripts
 * and styles from this origin only and holds none inline, so that a strict Content-Security-Policy allows it.
 */
export function page(
  title: string,
  body: MarkupPart,
  script?: "console.js" | "playground.js" | "rule-playground.js",
): Markup {
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/console/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/console/console.css" />
        ${script && markup`<script type="module" src="/console/${script}"></script>`}
      </head>
      <body>
        <a class="skip" href="#main">To the content</a>
        ${body}
      </body>
    </html> `;
}
