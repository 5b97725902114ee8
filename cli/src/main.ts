import { Command, CommanderError } from "commander";
import { addCommands, commandIn, type CommandTable } from "./command-table";
import { endOnSignals } from "./interruption";
import { UsageError } from "./errors";
import { guardOutput } from "./output/guard-output";
import { NarrowHelp } from "./output/narrow-help";
import { EXIT, reportError } from "./output/report-error";

/** Version of this package; a test compares it with package.json. */
const VERSION = "0.1.0";

/** Every command of `devid`. */
export const COMMANDS: CommandTable = {
  serve: {
    description: "run the local service until it is interrupted",
    examples: [
      ["devid serve", "run it at http://127.0.0.1:8787, and keep nothing"],
      [
        "devid serve --data service.db --port 0 --ready-file ready.json",
        "keep everything in a file, and say there which port was free",
      ],
    ],
    load: async () => (await import("./commands/serve.js")).serve(),
  },
  whoami: {
    description: "show which workspace and region the configured keys reach",
    examples: [
      ["devid whoami", "show what the configured keys reach"],
      [
        "DEVID_ENDPOINT=http://127.0.0.1:8787 devid whoami --region eu",
        "ask the local service about its workspace in eu",
      ],
    ],
    load: async () => (await import("./commands/workspace/whoami.js")).whoami(),
  },
  rules: {
    description: "check, compare, review and evaluate filtering rules",
    examples: [
      ["devid rules check rules.yaml", "find the mistakes of a rule file"],
      [
        "devid rules review rules.yaml --format markdown",
        "review its change for a pull request",
      ],
    ],
    load: async (args) =>
      (await import("./commands/rules/rules.js")).rules(args),
  },
  ci: {
    description: "review, apply and watch rules in a pipeline",
    examples: [
      [
        "devid ci review rules.yaml --stack prod",
        "review a pull request, comment on it, and keep its plan",
      ],
    ],
    load: async (args) => (await import("./commands/ci/ci.js")).ci(args),
  },
  export: {
    description: "write the workspace as a Pulumi program, without touching it",
    examples: [
      ["devid export --out shop", "write the whole workspace as a program"],
      [
        "devid export --out shop --environment Staging --include rules,webhooks",
        "write rules and webhooks of one environment",
      ],
    ],
    load: async () =>
      (await import("./commands/workspace/export.js")).exportCommand(),
  },
  compare: {
    description: "show what differs between two workspaces",
    examples: [
      ["devid compare us eu", "compare the workspaces of two regions"],
      [
        "devid compare shop eu/Staging --format markdown",
        "compare an export with one environment",
      ],
    ],
    load: async () =>
      (await import("./commands/workspace/compare.js")).compare(),
  },
  drift: {
    description: "show how a workspace differs from its stack and program",
    examples: [
      ["devid drift", "compare the selected stack with its workspace"],
      [
        "devid drift infra --stack production --format markdown --out drift.md",
        "write what differs to a file",
      ],
    ],
    load: async () => (await import("./commands/workspace/drift.js")).drift(),
  },
  events: {
    description: "read, change and export identification events",
    examples: [
      ["devid events search --bot bad", "list the last events with a bad bot"],
    ],
    load: async (args) =>
      (await import("./commands/events/events.js")).events(args),
  },
  lsp: {
    description: "serve an editor: findings, completion, fixes in rule files",
    examples: [["devid lsp", "serve an editor over standard input and output"]],
    load: async () => (await import("./commands/lsp.js")).lsp(),
  },
  completion: {
    description: "print the completion script of a shell",
    examples: [
      ['eval "$(devid completion bash)"', "complete in this bash"],
      ["devid completion fish | source", "complete in this fish"],
    ],
    load: async () =>
      (await import("./commands/completion.js")).completion(COMMANDS),
  },
  drn: {
    description: "read device reputation, which Android devices have",
    examples: [
      [
        "devid drn get AcxioeQKffpXF8iGQK3P",
        "show the reputation of a visitor's device",
      ],
    ],
    load: async (args) => (await import("./commands/drn.js")).drn(args),
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
      "Infrastructure as code for a device identification event service.",
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
    const outputError = new UsageError(`Standard output failed: ${reason}.`);
    process.exit(reportError(outputError, { json }));
  };
  process.stdout.on("error", onError);
  process.stderr.on("error", () => undefined);
}
