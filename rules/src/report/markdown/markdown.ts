import { shortened } from "../../review/shortened";
import { visibleText } from "../describe/visible-text";

/**
 * A text as inline code of Markdown, where nothing in it is markup or mentions
 * anybody: between more backquotes than it holds in a row.
 */
export function codeSpan(text: string): string {
  const shown = visibleText(text) || " ";
  const runs = (shown.match(/`+/g) ?? []).map(({ length }) => length);
  const fence = "`".repeat(Math.max(0, ...runs) + 1);
  // Markdown takes a blank on either side away again, unless all is blank.
  const isPadded = /^[ `]|[ `]$/.test(shown) && /[^ ]/.test(shown);
  const padded = isPadded ? ` ${shown} ` : shown;
  return fence + padded + fence;
}

/** A row of a Markdown table; a bar in a cell, in code, too, would end it. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** In characters. */
const LONGEST_CODE = 400;

/** A text as inline code of Markdown, a long one cut. */
export function code(text: string): string {
  return codeSpan(shortened(text, LONGEST_CODE));
}

/** In characters; a block says enough in that. */
const LONGEST_BLOCK = 3_000;

/**
 * Lines as a block of code in Markdown, where nothing in it is markup or
 * mentions anybody: between more backquotes than it holds in a row. What hides
 * in the lines has to be shown already.
 */
export function codeFence(lines: string): string {
  const shown = shortened(lines, LONGEST_BLOCK);
  const runs = (shown.match(/`+/g) ?? []).map(({ length }) => length);
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return [`${fence}text`, shown, fence].join("\n");
}
