import type { ExpressionProblem } from "./problem";

const MAX_WIDTH = 80;

/**
 * The line of a problem with its number, and `^` under the place; plain text of
 * at most 80 columns. Of a longer line, the part around the place is shown.
 */
export function codeFrame(source: string, problem: ExpressionProblem): string {
  const { line, offset, length } = problem;
  const column = problem.column - 1;
  const text = source.split("\n")[line - 1] ?? "";
  const characters = [...text.replace(/[\t\r]/g, " ")];
  const gutter = `${line} | `;
  const width = MAX_WIDTH - gutter.length;

  // The place may be right behind the last character.
  const last = Math.max(0, characters.length + 1 - width);
  const start = Math.min(last, Math.max(0, column - Math.floor(width / 3)));
  const shown = characters.slice(start, start + width);
  if (start > 0) shown.splice(0, 3, "...");
  if (start + width < characters.length) shown.splice(-3, 3, "...");

  const [place = ""] = source.slice(offset, offset + length).split("\n");
  const room = width - (column - start);
  const marks = Math.max(1, Math.min([...place].length, room));
  const blank = `${" ".repeat(gutter.length - 2)}| `;
  return [
    `${gutter}${shown.join("")}`.trimEnd(),
    `${blank}${" ".repeat(column - start)}${"^".repeat(marks)}`,
  ].join("\n");
}
