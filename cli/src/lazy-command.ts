import { Command } from "commander";

/**
 * A command whose own code is loaded when it is called: what it imports would
 * make every other command start later.
 */
export function lazyCommand(
  name: string,
  description: string,
  load: () => Promise<Command>,
): Command {
  return new Command(name)
    .description(description)
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (_options: object, { args }: Command) => {
      const command = await load();
      command.name(`devid ${name}`);
      await command.parseAsync(args, { from: "user" });
    });
}
