import { Command, CommanderError } from "commander";
import { addCommands, commandIn, type CommandTable } from "./command-table";
import { endOnSignals } from "./interruption";
import { UsageError } from "./errors";
import { guardOutput } from "./output/guard-output";
import { NarrowHelp } from "./output/narrow-help";
import { EXIT, reportError } from "./output/report-error";

/** Version of this package; a test compares it with package.json. */
const VERSION = "0.1.0";

const COMMANDS: CommandTable = {
  serve: {
    description: "run the local service until it is interrupted",
    load: async () => (await import("./commands/serve.js")).serve(),
  },
  whoami: {
    description:
      "show which workspace, region and versions the configured keys reach",
    load: async () => (await import("./commands/workspace/whoami.js")).whoami(),
  },
  rules: {
    description: "check, compare, review and evaluate filtering rules",
    load: async (args) =>
      (await import("./commands/rules/rules.js")).rules(args),
  },
  export: {
    description: "write the workspace as a Pulumi program, without touching it",
    load: async () =>
      (await import("./commands/workspace/export.js")).exportCommand(),
  },
  compare: {
    description: "show what differs between two workspaces",
    load: async () =>
      (await import("./commands/workspace/compare.js")).compare(),
  },
  recover: {
    description:
      "write the lost state of a program, from what the workspace has",
    load: async () =>
      (await import("./commands/workspace/recover.js")).recover(),
  },
  sync: {
    description: "make the workspace of one region like that of another",
    load: async () => (await import("./commands/workspace/sync.js")).sync(),
  },
  events: {
    description: "read, change and export identification events",
    load: async () => (await import("./commands/events/events.js")).events(),
  },
  drn: {
    description: "read the reputation of Android devices",
    load: async () => (await import("./commands/drn.js")).drn(),
  },
};

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
  endOutputQuietly(json);
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
  const name = commandIn(asked);
  const isKnown = name === undefined || Object.hasOwn(COMMANDS, name);
  const program = new Command("devid")
    .description(
      "Infrastructure as code for the workspace of a device identification event service.",
    )
    .version(VERSION);
  await addCommands(program, COMMANDS, asked);
  for (const [command, path] of everyCommand(program, "devid")) {
    command.createHelp = () => new NarrowHelp();
    command
      .exitOverride()
      .showHelpAfterError(`(${path} --help tells more)`)
      .configureOutput(json ? { writeErr: () => undefined } : {});
  }
  try {
    await program.parseAsync(isKnown ? asked : [name], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === EXIT.ok) return;
    // Commander has already printed the error as text.
    process.exitCode = json
      ? reportError(usageError(error), { json })
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

function usageError({ message }: CommanderError): UsageError {
  return new UsageError(message.replace(/^error: /, ""));
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

/** Ignores that the reader of the output, such as `head`, has closed it. */
function endOutputQuietly(json: boolean): void {
  const onError = (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    const reason = error.code ?? error.message;
    const told = new UsageError(`Standard output failed: ${reason}.`);
    process.exit(reportError(told, { json }));
  };
  process.stdout.on("error", onError);
  process.stderr.on("error", () => undefined);
}
