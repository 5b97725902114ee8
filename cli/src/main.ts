import { Command, CommanderError } from "commander";
import { addCommands, unknownCommand } from "./commands";
import { endOnSignals } from "./interruption";
import { fileError, UsageError } from "./errors";
import { guardOutput } from "./output/guard-output";
import { NarrowHelp } from "./output/narrow-help";
import { EXIT, reportError } from "./output/report-error";
import { writeWholeChunks } from "./output/write-whole";

/** Version of this package; a test compares it with package.json. */
const VERSION = "0.1.0";

/**
 * Runs the command line and sets the exit code: 0 success, 1 error, 2
 * differences, 3 service unreachable, 130 interrupted. With `--json`, an error
 * is printed as one line of JSON.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const args = argv.slice(2);
  const json = asksForJson(args);
  guardOutput();
  endOnSignals((error) => process.exit(reportError(error, { json })));
  endOnFailedOutput(json);
  try {
    await run(args, json);
  } catch (error) {
    process.exitCode = reportError(error, { json });
  }
}

async function run(args: readonly string[], json: boolean): Promise<void> {
  // `devid help X` and `devid X help Y` run as `--help` of the command, so that
  // both print the same.
  const help = args.slice(0, 2).indexOf("help");
  const asked = help === -1 ? args : [...args.toSpliced(help, 1), "--help"];
  const unknown = unknownCommand(asked);
  const program = new Command("devid")
    .description(
      "Infrastructure as code for a device identification event service.",
    )
    .version(VERSION);
  await addCommands(program, asked);
  for (const [command, path] of everyCommand(program, "devid")) {
    command.createHelp = () => new NarrowHelp();
    command
      .exitOverride()
      .showHelpAfterError(`(${path} --help tells more)`)
      .configureOutput(json ? { writeErr: () => undefined } : {});
  }
  try {
    await program.parseAsync(unknown === undefined ? asked : [unknown], {
      from: "user",
    });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === EXIT.ok) return;
    // Commander has already printed the error as text.
    process.exitCode = json
      ? reportError(new UsageError(error.message.replace(/^error: /, "")), {
          json,
        })
      : EXIT.error;
  }
}

function* everyCommand(
  command: Command,
  path: string,
): Generator<[Command, string]> {
  yield [command, path];
  for (const part of command.commands)
    yield* everyCommand(part, `${path} ${part.name()}`);
}

/**
 * Whether the output should be JSON. This reads the raw arguments, because an
 * error in parsing them must be JSON, too.
 */
function asksForJson(args: readonly string[]): boolean {
  return args.some(
    (arg, index) =>
      arg === "--json" ||
      arg === "--format=json" ||
      (arg === "json" && args[index - 1] === "--format"),
  );
}

/**
 * Ends the command if standard output cannot be written. It is no error that the reader
 * of the output, such as `head`, has closed it.
 */
function endOnFailedOutput(json: boolean): void {
  writeWholeChunks(process.stdout);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    const { message } = fileError("Standard output", "written", error);
    const outputError = new UsageError(
      `${message} What it has is not complete.`,
    );
    process.exit(reportError(outputError, { json }));
  });
  process.stderr.on("error", () => undefined);
}
