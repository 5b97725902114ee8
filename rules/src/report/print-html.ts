import { changesTable } from "./describe/describe-diff";
import { grouped } from "./describe/numbers";
import {
  gradeOf,
  mapProse,
  type Bar,
  type Block,
  type ChartPeriod,
  type Cell,
  type Prose,
  type Summary,
  type Table,
} from "./describe/block";
import { codeHtml, Markup, markup } from "./markup";
import { page } from "./page";

/** Prints a report as an HTML page that needs no network and runs no script. */
export function printHtml(blocks: readonly Block[]): string {
  const title = blocks.find((block) => block.kind === "title");
  return page(
    mapProse(title?.text ?? "", String, String),
    blocks.map(blockHtml),
  );
}

function blockHtml(block: Block): Markup {
  switch (block.kind) {
    case "title":
      return markup`<h1>${html(block.text)}</h1>\n${block.below.map(quiet)}`;
    case "heading":
      return markup`<h2>${html(block.text)}</h2>\n`;
    case "text":
      return block.isQuiet ? quiet(block.text) : paragraph(block.text);
    case "list":
      return markup`<ul>\n${block.items.map(item)}</ul>\n`;
    case "table":
      return tableHtml(block);
    case "changes":
      return tableHtml(changesTable(block));
    case "lines":
      return markup`${block.items.map(linesHtml)}`;
    case "fold": {
      const open = block.openIn.includes("page") && markup` open`;
      return markup`<details${open}><summary>${html(block.title)}</summary>\n${block.blocks.map(blockHtml)}</details>\n`;
    }
    case "summary":
      return summaryHtml(block);
    case "chart":
      return timeChart(block);
  }
}

function summaryHtml(summary: Summary): Markup {
  const { risk, note, failure, phrases, reasons, conditions } = summary;
  return markup`<div class="verdict ${risk}">
<strong>${gradeOf(summary)}</strong>
<ul>
${phrases.map(item)}</ul>
${note !== undefined && paragraph(note)}${
    failure !== undefined && linesHtml(failure)
  }${reasons.map(quiet)}${
    conditions.length > 0 &&
    markup`<ul class="conditions">\n${conditions.map(item)}</ul>\n`
  }</div>
`;
}

const paragraph = (text: Prose) => markup`<p>${html(text)}</p>\n`;

const quiet = (text: Prose) => markup`<p class="quiet">${html(text)}</p>\n`;

const item = (text: Prose) => markup`<li>${html(text)}</li>\n`;

const linesHtml = (text: string) => markup`<pre>${text}</pre>\n`;

const html = (prose: Prose) =>
  new Markup(
    mapProse(
      prose,
      (own) => markup`${own}`.text.replaceAll("\n", "<br>"),
      (text) => codeHtml(text).text,
    ),
  );

/** A table as wide as the page; on a narrow screen, a list of labelled cells. */
function tableHtml({ name, columns, rows }: Table): Markup {
  const align = (n: number) => columns[n]?.isNumber && markup` class="number"`;
  const row = (cells: readonly Cell[]) =>
    markup`<tr>${cells.map((cell, n) => {
      const label = mapProse(columns[n]?.name ?? "", String, String);
      return markup`<td${label && markup` data-label="${label}"`}${align(n)}>${cellHtml(cell)}</td>`;
    })}</tr>\n`;
  return markup`<table class="wide${name && ` ${name}`}">
<tr>${columns.map(({ name }, n) => markup`<th${align(n)}>${html(name)}</th>`)}</tr>
${rows.map(row)}</table>
`;
}

const cellHtml = (cell: Cell) =>
  typeof cell === "string" ? html(cell) : cell.map(barHtml);

/** A bar whose width is the value's share of the largest value. */
function barHtml({ value, of, isBefore }: Bar) {
  const percent = of > 0 ? (100 * value) / of : 0;
  return markup`<svg class="bar" aria-hidden="true"><rect class="${isBefore ? "before" : "after"}" width="${percent.toFixed(1)}%" height="100%"/></svg>`;
}

/** Height of the drawing in its own units; the page stretches its width. */
const HEIGHT = 100;

/**
 * Draws the number of denied events over time, for the rules compared with and
 * for the proposed ones.
 */
function timeChart({
  periods,
  range,
}: Extract<Block, { kind: "chart" }>): Markup {
  const largest = Math.max(
    ...periods.map(({ deniedBefore, deniedAfter }) =>
      Math.max(deniedBefore, deniedAfter),
    ),
  );
  const path = (of: "deniedBefore" | "deniedAfter") =>
    steps(periods.map((period) => (largest ? period[of] / largest : 0)));
  return markup`<figure>
<figcaption class="ends"><span>Denied events over time: <span class="key before">before (dashed)</span>, <span class="key after">after</span></span><span class="quiet">highest: ${grouped(largest)}</span></figcaption>
<svg class="chart" role="img" aria-label="Denied events over time, before and after" viewBox="0 -2 ${periods.length} ${HEIGHT + 4}" preserveAspectRatio="none">
<path class="before" d="${path("deniedBefore")}"/>
<path class="after" d="${path("deniedAfter")}"/>
${periods.map(hint)}</svg>
<div class="ends quiet"><span>${minute(range.start)}</span><span>${minute(range.end)} UTC</span></div>
</figure>
`;
}

/** Draws a stepped line: one step for each value, from 0 to 1. */
function steps(values: readonly number[]): string {
  return values
    .map((value, i) => {
      const y = (HEIGHT * (1 - value)).toFixed(1);
      return `${i === 0 ? "M0 " : "V"}${y}H${i + 1}`;
    })
    .join("");
}

/**
 * A text that a browser shows when the pointer is over this period of the
 * chart.
 */
function hint(
  { start, events, deniedBefore, deniedAfter }: ChartPeriod,
  i: number,
) {
  return markup`<rect x="${i}" y="-2" width="1" height="${HEIGHT + 4}"><title>from ${minute(start)} UTC: of ${grouped(events)} events ${grouped(deniedBefore)} denied before, ${grouped(deniedAfter)} after</title></rect>\n`;
}

/** A time for people, UTC: `2026-11-20 14:00`. */
const minute = (time: string) => time.slice(0, 16).replace("T", " ");
