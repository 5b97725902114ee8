import { visibleText } from "./visible-text";

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
