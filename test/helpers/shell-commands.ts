import { blockOf } from "./page-blocks";

/**
 * The commands of the first `sh` block below a heading of a Markdown text, one
 * for each line.
 */
export function shellCommands(markdown: string, heading: string): string[] {
  const section = markdown.split(`## ${heading}\n`)[1] ?? "";
  return blockOf(section, "sh")
    .split("\n")
    .filter((line) => line.trim() !== "");
}
