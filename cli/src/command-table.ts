import { Command } from "commander";

/**
 * A command: its description in the help, and a function that loads its code
 * when it is called. `load` gets the arguments behind the command's name.
 */
export interface CommandEntry {
  readonly description: string;
  readonly load: (args: readonly string[]) => Promise<Command>;
}

/** Commands by their names. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;

/** The name of the command that arguments call; undefined for flags alone. */
export const commandIn = (args: readonly string[]): string | undefined =>
  args.find((arg) => !arg.startsWith("-"));

/**
 * Adds the commands of a table to their parent: the one that the arguments call
 * with its code, and of the others only the descriptions.
 */
export async function addCommands(
  parent: Command,
  table: CommandTable,
  args: readonly string[],
): Promise<Command> {
  const called = commandIn(args);
  const behind = args.slice(args.indexOf(called ?? "") + 1);
  for (const [name, { description, load }] of Object.entries(table)) {
    const command = name === called ? await load(behind) : new Command(name);
    parent.addCommand(command.description(description));
  }
  return parent;
}
