/**
 * The commands of the first `sh` block below a heading of a Markdown text, one
 * for each line.
 */
export function shellCommands(markdown: string, heading: string): string[] {
  const section = markdown.split(`## ${heading}\n`)[1] ?? "";
  const block = /```sh\n(.*?)```/s.exec(section)?.[1];
  if (block === undefined)
    throw new Error(`There is no sh block below "${heading}".`);
  return block.split("\n").filter((line) => line.trim() !== "");
}
