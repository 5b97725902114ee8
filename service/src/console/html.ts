import { markup, type Markup, type MarkupPart } from "@devid/rules/internals";
import { maskUrls, type Region, REGIONS } from "@devid/sdk/wire";

/** The tone of a badge. The word has the whole meaning; the colour only helps the eye. */
export type Tone = "good" | "bad" | "wait" | "plain";

/** A coloured word for a state. */
export function badge(tone: Tone, word: string | number): Markup {
  return markup`<span class="badge ${tone}">${word}</span>`;
}

/** A time of the service's clock, in UTC, to the second. The whole time shows on hovering. */
export function time(at: string | number): Markup {
  const iso = new Date(at).toISOString();
  return markup`<time datetime="${iso}" title="${iso}"
    >${iso.slice(0, 10)} <b>${iso.slice(11, 19)}</b></time
  >`;
}

/**
 * The address of a region's rule playground, which begins with the rules of an
 * `environment`, or with the request of a `visit`: `decision:{number}` or `event:{id}`.
 */
export function rulePlaygroundPath(
  region: Region,
  begin: { readonly environment?: string; readonly visit?: string } = {},
): string {
  const query = new URLSearchParams(begin).toString();
  return `/playground/${region}/rules${query && `?${query}`}`;
}

/** How many characters of a text a row of a table shows. */
const SHORT = 200;

/** The beginning of a text of unknown length. Addresses in it have no credentials and no query. */
export function short(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  const shown = maskUrls(text);
  return shown.length > SHORT ? `${shown.slice(0, SHORT)}…` : shown;
}

/** How many characters of a name never stand in two lines. */
const WHOLE = 32;

/** The name of a rule, which keeps its hyphens together. */
export function ruleName(name: string): Markup {
  return markup`<b class="${name.length <= WHOLE && "whole"}">${short(name)}</b>`;
}

/** What a rule does, as a badge. */
export function actionOf(action: "allow" | "deny"): Markup {
  return badge(action === "allow" ? "good" : "bad", action);
}

/** A list of names and values. A value that is null or undefined leaves its name out. */
export function facts(pairs: Readonly<Record<string, MarkupPart>>): Markup {
  const known = Object.entries(pairs).filter(([, value]) => value != null);
  return markup`<dl>
    ${known.map(
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
export type Column<Row> = readonly [
  name: string,
  show: (row: Row) => MarkupPart,
  kind?: "long",
];

/**
 * A table that the keyboard can scroll. On a narrow screen each row becomes a
 * list of names and values. Screen readers read `label` as its name.
 */
export function table<Row>(
  label: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Markup {
  const heads = columns.map(([name]) => markup`<th scope="col">${name}</th>`);
  const cells = (row: Row) =>
    columns.map(
      ([name, show, kind]) =>
        markup`<td data-name="${name}" class="${kind}"><div>${show(row)}</div></td>`,
    );
  return markup`<div class="scroll" ${scrolled(label)}>
    <table>
      <thead>
        <tr>${heads}</tr>
      </thead>
      <tbody>
        ${rows.map((row) => markup`<tr>${cells(row)}</tr>`)}
      </tbody>
    </table>
  </div>`;
}

/** Attributes of a box that the keyboard can scroll. An update finds it by its ID. */
const scrolled = (label: string) =>
  markup`id="${label}" tabindex="0" role="group" aria-label="${label}"`;

/** A part of a page, under a title. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly content?: MarkupPart;
  /** A text in a box of its own. The whole of a long one is at `?text={id}` of the page. */
  readonly text?: string;
}

/** How many characters of a text a page shows. */
const LONG = 64_000;

/** The text of a section. Addresses in it have no credentials and no query. */
export function sectionText({ text }: Section): string | undefined {
  return text === undefined ? undefined : maskUrls(text);
}

function sectionHtml(section: Section): Markup {
  const { id, title, content } = section;
  const text = sectionText(section);
  return markup`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${content}
    ${
      text !== undefined &&
      markup`<pre ${scrolled(`${title}, text`)}>
${text.slice(0, LONG)}</pre>`
    }
    ${
      text !== undefined &&
      text.length > LONG &&
      markup`<p>
        These are the first ${LONG} of ${text.length} characters.
        <a href="?text=${id}">The whole text</a>
      </p>`
    }
  </section> `;
}

/** A page of the console. */
export interface ConsolePage {
  readonly title: string;
  /** What stands above the sections. */
  readonly form?: Markup;
  readonly sections: readonly Section[];
  /** The workspace that the page is about. Default: all. */
  readonly region?: Region | undefined;
  /** The address of the same page about a workspace, or about all of them. */
  readonly of?: (region?: Region) => string | undefined;
  /** Whether `console.js` keeps the sections up to date. Default: true. */
  readonly isLive?: boolean;
}

/**
 * The HTML of a page. It loads scripts and styles from this origin only and holds none
 * inline, so that a strict Content-Security-Policy allows it.
 */
export function pageHtml(page: ConsolePage): string {
  const { title, region, of, isLive = true } = page;
  const own = region ?? "us";
  const { text } = markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>devid ${title}</title>
        <link rel="icon" href="/console/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/console/console.css" />
        ${isLive && markup`<script type="module" src="/console/console.js"></script>`}
      </head>
      <body>
        <a class="skip" href="#main">To the content</a>
        <header>
          <h1>devid <small>${title}</small></h1>
          <nav aria-label="Pages">
            <a href="/${region && `?region=${region}`}">Console</a>
            <a href="/playground/${own}/rules">Rule playground</a>
          </nav>
          ${of && markup`<nav aria-label="Workspace">${workspaces(of, region)}</nav>`}
          ${isLive && LIVE}
        </header>
        <main id="main" class="${page.sections.length > 1 && "few"}">${page.form}${page.sections.map(sectionHtml)}</main>
      </body>
    </html> `;
  return text;
}

const workspaces = (
  of: NonNullable<ConsolePage["of"]>,
  shown: Region | undefined,
) =>
  [undefined, ...REGIONS].map((region) => {
    const href = of(region);
    const current = region === shown && markup`aria-current="page"`;
    return href && markup`<a href="${href}" ${current}>${region ?? "all"}</a> `;
  });

const LIVE = markup`<p class="live">
  <span id="live" role="status"
    >Not live: this page needs JavaScript to update itself</span
  >
  <button type="button" id="pause" hidden>Pause</button>
</p>`;
