import { shortened } from "../describe/shortened";
import { visibleLines, visibleText } from "../describe/visible-text";

/**
 * Formats a text as inline code of Markdown, so that no part of it acts as
 * markup or mentions anybody.
 */
export function codeSpan(text: string): string {
  const shown = visibleText(text) || " ";
  const fence = fenceAround(shown, 1);
  // Markdown removes one blank on each side, unless the text consists of
  // blanks.
  const isPadded = /^[ `]|[ `]$/.test(shown) && /[^ ]/.test(shown);
  const padded = isPadded ? ` ${shown} ` : shown;
  return fence + padded + fence;
}

/** At least so many backquotes, and more than any run within a text. */
function fenceAround(text: string, least: number): string {
  const runs = (text.match(/`+/g) ?? []).map(({ length }) => length + 1);
  return "`".repeat(Math.max(least, ...runs));
}

/**
 * Formats a row of a Markdown table. A bar would end a cell, even within code,
 * so it is escaped.
 */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** Characters. */
const LONGEST_CODE = 400;

/** Formats a text as inline code of Markdown, and shortens a long one. */
export function codeMarkdown(text: string): string {
  return codeSpan(shortened(text, LONGEST_CODE));
}

/** Characters. */
const LONGEST_BLOCK = 3_000;

/**
 * Formats lines as a code block of Markdown, so that no part acts as markup or
 * mentions anybody.
 */
export function codeFence(lines: string): string {
  const shown = shortened(visibleLines(lines), LONGEST_BLOCK);
  const fence = fenceAround(shown, 3);
  return [`${fence}text`, shown, fence].join("\n");
}
