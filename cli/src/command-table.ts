import { Command } from "commander";

/** A command line to copy, and what it does. */
export type CommandExample = readonly [commandLine: string, does: string];

/**
 * A command: its description and its examples in the help, and a function that loads
 * its code when it is called. `load` gets the arguments behind the command's name.
 */
export interface CommandEntry {
  readonly description: string;
  readonly examples: readonly [CommandExample, ...CommandExample[]];
  readonly load: (args: readonly string[]) => Promise<Command>;
}

/** Commands by their names. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;

/** The name of the command that arguments call; undefined for flags alone. */
export const commandIn = (args: readonly string[]): string | undefined =>
  args.find((arg) => !arg.startsWith("-"));

/**
 * Adds the commands of a table to their parent. Only the called command is loaded. All
 * other commands are added as descriptions for the help.
 */
export async function addCommands(
  parent: Command,
  table: CommandTable,
  args: readonly string[],
): Promise<Command> {
  const called = commandIn(args);
  const behind = args.slice(args.indexOf(called ?? "") + 1);
  for (const [name, { description, examples, load }] of Object.entries(table)) {
    const command = name === called ? await load(behind) : new Command(name);
    command
      .description(description)
      .addHelpText("after", examplesText(examples));
    parent.addCommand(command);
  }
  return parent;
}

/** The end of a help text: each example under a comment that a shell skips. */
function examplesText(examples: readonly CommandExample[]): string {
  const lines = examples.map(
    ([commandLine, does]) => `  # ${does}\n  ${commandLine}`,
  );
  return `\nExamples:\n${lines.join("\n")}`;
}
