import { shortened } from "../shortened";

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
