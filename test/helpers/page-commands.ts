import { textOf } from "./repository";
import { blocksOf } from "./page-blocks";

/**
 * The commands of the shell blocks of a page of the repository, in their order. A command
 * goes on while a quote is open.
 */
export function commandsOf(page: string): string[] {
  return blocksOf(textOf(page), "sh").flatMap((block) => {
    const commands = [""];
    for (const line of block.split("\n")) {
      const last = `${commands.at(-1)}${line}\n`;
      const isOpen = line.endsWith("\\") || last.split("'").length % 2 === 0;
      commands[commands.length - 1] = last;
      if (!isOpen) commands.push("");
    }
    return commands
      .map((command) => command.trim())
      .filter((one) => !/^(#|$)/.test(one));
  });
}
