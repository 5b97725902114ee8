import { shortened } from "../describe/shortened";
import { visibleText } from "../describe/visible-text";

/**
 * Formats a text as inline code of Markdown, so that no part of it acts as
 * markup or mentions anybody. The fence has more backquotes than any run within
 * the text.
 */
export function codeSpan(text: string): string {
  const shown = visibleText(text) || " ";
  const runs = (shown.match(/`+/g) ?? []).map(({ length }) => length);
  const fence = "`".repeat(Math.max(0, ...runs) + 1);
  // Markdown removes one blank on each side, unless the text consists of
  // blanks.
  const isPadded = /^[ `]|[ `]$/.test(shown) && /[^ ]/.test(shown);
  const padded = isPadded ? ` ${shown} ` : shown;
  return fence + padded + fence;
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
 * mentions anybody. The fence has more backquotes than any run within the
 * lines. The caller must have made hidden characters visible.
 */
export function codeFence(lines: string): string {
  const shown = shortened(lines, LONGEST_BLOCK);
  const runs = (shown.match(/`+/g) ?? []).map(({ length }) => length);
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return [`${fence}text`, shown, fence].join("\n");
}
