import { Command } from "commander";
import { expect, it } from "vitest";
import { addCommands, COMMANDS } from "../../cli/src/commands";

/** `devid` with the code of the called command. */
const devid = (args: readonly string[]) =>
  addCommands(new Command("devid"), args);

function commandAt(program: Command, path: readonly string[]): Command {
  return path.reduce((parent, name) => {
    const found = parent.commands.find((one) => one.name() === name);
    if (!found) throw new Error(`There is no command ${path.join(" ")}.`);
    return found;
  }, program);
}

/** The paths of all commands, groups included. */
const everyPath = () => Object.keys(COMMANDS).map((path) => path.split(" "));

/** The command lines under "Examples:" in a help text. */
function examplesIn(command: Command): string[] {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const [, list = ""] = help.split("\nExamples:\n");
  return list
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** The words of the last command of a line, as a shell splits them, without redirections. */
function wordsOf(line: string): string[] {
  const own =
    line.slice(line.lastIndexOf("devid ")).split(/ [<>|] |\)/)[0] ?? "";
  return [...own.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
}

/** Parses a command line up to the command. The command itself does nothing here. */
async function parsed(words: readonly string[]): Promise<string> {
  const [, ...args] = words;
  const program = await devid(args);
  let called = "";
  const visit = (command: Command, path: readonly string[]) => {
    command.exitOverride().configureOutput({ writeErr: () => undefined });
    if (command.commands.length === 0)
      command.action(() => {
        called = path.join(" ");
      });
    for (const part of command.commands) visit(part, [...path, part.name()]);
  };
  visit(program, []);
  await program.parseAsync(args, { from: "user" });
  return called;
}

it("every help text has an example, and each example can be parsed", async () => {
  const paths = everyPath();
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) {
    const lines = examplesIn(commandAt(await devid(path), path));
    expect([path.join(" "), lines]).not.toEqual([path.join(" "), []]);
    for (const line of lines)
      expect((await parsed(wordsOf(line))).split(" "), line).toEqual(
        expect.arrayContaining(path),
      );
  }
});

it("an example with an unknown flag fails", async () => {
  await expect(parsed(wordsOf("devid whoami --colour"))).rejects.toThrow(
    "unknown option",
  );
});
