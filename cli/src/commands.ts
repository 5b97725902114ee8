import { Command } from "commander";
import { UsageError } from "./errors";
import type { MakeCommand } from "./flags/define-command";
import { errorText } from "./output/report-error";

/**
 * A command: its description and its examples in the help, and a function that loads its
 * code when it is called. A group of commands has no code.
 */
export interface CommandEntry {
  readonly description: string;
  /** Command lines to copy, and what each does. */
  readonly examples: Readonly<Record<string, string>>;
  readonly load?: () => Promise<MakeCommand>;
}

/** Every command of `devid`, by its path. A group comes before its commands. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  serve: {
    description: "run the local service until it is interrupted",
    examples: {
      "devid serve": "run it at http://127.0.0.1:8787, and keep nothing",
      "devid serve --data service.db --port 0 --ready-file ready.json":
        "keep everything in a file, and say there which port was free",
    },
    load: async () => (await import("./commands/serve.js")).serve,
  },
  whoami: {
    description: "show which workspace and region the configured keys reach",
    examples: {
      "devid whoami": "show what the configured keys reach",
      "DEVID_ENDPOINT=http://127.0.0.1:8787 devid whoami --region eu":
        "ask the local service about its workspace in eu",
    },
    load: async () => (await import("./commands/workspace/whoami.js")).whoami,
  },
  rules: {
    description: "check, compare, review and evaluate filtering rules",
    examples: {
      "devid rules check rules.yaml": "find the mistakes of a rule file",
      "devid rules review rules.yaml --format markdown":
        "review its change for a pull request",
    },
  },
  "rules check": {
    description: "check rule files offline: grammar, types, lint",
    examples: {
      "devid rules check rules.yaml": "check one file",
      "devid rules check --strict rules/":
        "check every file of a folder, and also fail on warnings",
    },
    load: async () =>
      (await import("./commands/rules/rules-check.js")).rulesCheck,
  },
  "rules test": {
    description: "run the tests of rule files, or folders of them",
    examples: {
      "devid rules test rules.yaml": "run the tests of a file",
    },
    load: async () =>
      (await import("./commands/rules/rules-test.js")).rulesTest,
  },
  "rules fmt": {
    description: "format the expressions of rule files, or folders of them",
    examples: {
      "devid rules fmt rules.yaml": "format a file",
      "devid rules fmt --check rules/": "list the files that are not formatted",
    },
    load: async () => (await import("./commands/rules/rules-fmt.js")).rulesFmt,
  },
  "rules explain": {
    description:
      "say what a lint finds, why that matters, and how to correct it",
    examples: {
      "devid rules explain may-fail": "explain one lint",
    },
    load: async () =>
      (await import("./commands/rules/rules-explain.js")).rulesExplain,
  },
  "rules diff": {
    description: "show what differs in meaning between two rule sets",
    examples: {
      "devid rules diff rules.yaml":
        "compare a file with the branch that it is to be merged into",
      "devid rules diff rules.yaml live":
        "compare the rules in force with a file",
      "devid rules diff v1.2.0:rules.yaml rules.yaml":
        "compare a file with an earlier one",
    },
    load: async () =>
      (await import("./commands/rules/rules-diff.js")).rulesDiff,
  },
  "rules in-force": {
    description: "print the rules in force in an environment",
    examples: {
      "devid rules in-force --out rules.yaml":
        "write the rules in force as a rule file",
      "devid rules in-force --environment Staging --format json":
        "print those of one environment as JSON",
    },
    load: async () =>
      (await import("./commands/rules/rules-in-force.js")).rulesInForce,
  },
  "rules impact": {
    description: "replay rules on past events: what would they have done?",
    examples: {
      "devid rules impact rules.yaml --since 7d":
        "replay a file on the events of a week",
      "devid rules impact rules.yaml --since 30d --within 60s":
        "replay a sample, in a minute at most",
    },
    load: async () =>
      (await import("./commands/rules/rules-impact.js")).rulesImpact,
  },
  "rules usage": {
    description: "count what each rule, and each term in it, decided",
    examples: {
      "devid rules usage rules.yaml --since 30d":
        "find rules and terms that decide nothing",
      'devid rules usage live --since 30d --events "parquet:events/*.parquet"':
        "judge the rules in force by the events of a warehouse",
    },
    load: async () =>
      (await import("./commands/rules/rules-usage.js")).rulesUsage,
  },
  "rules review": {
    description:
      "review a rule file: what it changes, lint, tests, and past events",
    examples: {
      "devid rules review rules.yaml": "review a change on a terminal",
      "devid rules review rules.yaml --format markdown --out review.md":
        "write the comment of a pull request",
    },
    load: async () =>
      (await import("./commands/rules/rules-review.js")).rulesReview,
  },
  "rules eval": {
    description:
      'evaluate NDJSON from standard input: {"expression","request"} or {"rules","request"} a line; "request" has any of ip, headers (lists of values), userAgent, sdkPlatform, sdkVersion, appPackageName, isAiBot and isCrawlerBot',
    examples: {
      "devid rules eval < questions.ndjson > answers.ndjson":
        "answer a file of questions",
      [`echo '{"expression":"true","request":{}}' | devid rules eval`]:
        "evaluate one expression",
      "devid rules eval --trace < questions.ndjson":
        "say why: each rule, and each term in it",
    },
    load: async () =>
      (await import("./commands/rules/rules-eval.js")).rulesEval,
  },
  ci: {
    description: "review, apply and watch rules in a pipeline",
    examples: {
      "devid ci review rules.yaml --stack prod":
        "review a pull request, comment on it, and keep its plan",
    },
  },
  "ci review": {
    description:
      "review a rule file with the plan of its stack, comment, and keep the plan",
    examples: {
      "devid ci review rules.yaml --stack prod --fail-on plan-differs":
        "review a pull request",
      "devid ci review rules.yaml --stack prod --recover":
        "review a recovery of the main branch",
    },
    load: async () => (await import("./commands/ci/ci-commands.js")).ciReview,
  },
  "ci apply": {
    description: "apply exactly the plan that was reviewed, and say so",
    examples: {
      "devid ci apply rules.yaml --stack prod":
        "apply the plan of the pull request that was merged",
      "devid ci apply rules.yaml --stack prod --recover":
        "apply the plan of this run's recovery",
    },
    load: async () => (await import("./commands/ci/ci-commands.js")).ciApply,
  },
  "ci review-again": {
    description: "start the reviews of the open pull requests again",
    examples: {
      "devid ci review-again":
        "renew the reviews after the main branch has moved",
    },
    load: async () =>
      (await import("./commands/ci/ci-commands.js")).ciReviewAgain,
  },
  "ci drift": {
    description: "keep one issue about what differs from a stack",
    examples: {
      "devid ci drift rules.yaml --stack prod":
        "open, rewrite or close the issue",
    },
    load: async () => (await import("./commands/ci/ci-commands.js")).ciDrift,
  },
  export: {
    description: "write the workspace as a Pulumi program, and change nothing",
    examples: {
      "devid export --out shop": "write the whole workspace as a program",
      "devid export --out shop --environment Staging --include rules,webhooks":
        "write rules and webhooks of one environment",
    },
    load: async () =>
      (await import("./commands/workspace/export.js")).exportCommand,
  },
  compare: {
    description: "show what differs between two workspaces",
    examples: {
      "devid compare us eu": "compare the workspaces of two regions",
      "devid compare shop eu/Staging --format markdown":
        "compare an export with one environment",
    },
    load: async () => (await import("./commands/workspace/compare.js")).compare,
  },
  drift: {
    description: "show how a workspace differs from its stack and program",
    examples: {
      "devid drift": "compare the selected stack with its workspace",
      "devid drift infra --stack production --format markdown --out drift.md":
        "write what differs to a file",
    },
    load: async () => (await import("./commands/workspace/drift.js")).drift,
  },
  events: {
    description: "read, change and export identification events",
    examples: {
      "devid events search --bot bad": "list the last events with a bad bot",
    },
  },
  "events get": {
    description: "show an event",
    examples: {
      "devid events get 1708102555327.NLOjmg":
        "show the main fields of an event",
      "devid events get 1708102555327.NLOjmg --json": "print all of it",
    },
    load: async () =>
      (await import("./commands/events/events-get.js")).eventsGet,
  },
  "events search": {
    description: "list matching events (default: of the last 7 days)",
    examples: {
      "devid events search --bot bad --since 24h":
        "list bad bots of the last day",
      "devid events search --visitor-id Ibk1527CUFmcnjLwIs4A --limit 50":
        "list the events of a visitor",
    },
    load: async () =>
      (await import("./commands/events/events-search.js")).eventsSearch,
  },
  "events update": {
    description:
      "change the linked ID, the tags or the suspect flag of an event",
    examples: {
      "devid events update 1708102555327.NLOjmg --suspect true":
        "flag an event",
      [`devid events update 1708102555327.NLOjmg --tags '{"order":"42"}'`]:
        "replace its tags",
    },
    load: async () =>
      (await import("./commands/events/events-update.js")).eventsUpdate,
  },
  "events export": {
    description:
      "write events that match to a file, one a line, oldest first; the next run with the same file adds what has happened since",
    examples: {
      "devid events export --out events.ndjson --since 30d":
        "write a month of events; the next run adds new events",
    },
    load: async () =>
      (await import("./commands/events/events-export.js")).eventsExport,
  },
  lsp: {
    description: "serve an editor: findings, completion, fixes in rule files",
    examples: {
      "devid lsp": "serve an editor over standard input and output",
    },
    load: async () => (await import("./commands/lsp.js")).lsp,
  },
  drn: {
    description: "read device reputation, which Android devices have",
    examples: {
      "devid drn get AcxioeQKffpXF8iGQK3P":
        "show the reputation of a visitor's device",
    },
  },
  "drn get": {
    description: "show the reputation of a visitor's device",
    examples: {
      "devid drn get AcxioeQKffpXF8iGQK3P":
        "show all that is known of a visitor's device",
      "devid drn get AcxioeQKffpXF8iGQK3P --signals suspect_score --json":
        "print its suspect score as JSON",
    },
    load: async () => (await import("./commands/drn.js")).drnGet,
  },
};

/** The words of a command line that may name commands. */
const commandWords = (args: readonly string[]): string[] =>
  args.filter((arg) => !arg.startsWith("-"));

/** The name of the command that arguments call, if it is none of `devid`. */
export function unknownCommand(args: readonly string[]): string | undefined {
  const [name] = commandWords(args);
  return name === undefined || Object.hasOwn(COMMANDS, name) ? undefined : name;
}

/**
 * Adds all commands to the program. Only the called command is loaded. All other commands
 * are added as descriptions for the help.
 */
export async function addCommands(
  program: Command,
  args: readonly string[],
): Promise<Command> {
  const [noun = "", verb] = commandWords(args);
  const groups = new Map([["", program]]);
  for (const [path, { description, examples, load }] of Object.entries(
    COMMANDS,
  )) {
    const [group = "", name] = path.includes(" ")
      ? path.split(" ")
      : ["", path];
    const parent = groups.get(group);
    const isCalled = path === noun || path === `${noun} ${verb}`;
    if (name === undefined || parent === undefined) continue;
    const command =
      load && isCalled ? (await loaded(load))(name) : new Command(name);
    command
      .description(description)
      .addHelpText("after", examplesText(examples));
    parent.addCommand(command);
    if (!load) groups.set(name, command);
  }
  return program;
}

/**
 * Loads the code of a command.
 * @throws UsageError if a package is missing, or is one of another platform, as where
 * `node_modules` was copied into a container
 */
async function loaded(
  load: NonNullable<CommandEntry["load"]>,
): Promise<MakeCommand> {
  try {
    return await load();
  } catch (error) {
    const [problem] = errorText(error).split("\n", 1);
    throw new UsageError(
      `The command cannot be loaded on this machine: ${problem}. Install devid and its packages here again, with npm.`,
    );
  }
}

/** The end of a help text: each example under a comment that a shell skips. */
function examplesText(examples: CommandEntry["examples"]): string {
  const lines = Object.entries(examples).map(
    ([commandLine, does]) => `  # ${does}\n  ${commandLine}`,
  );
  return `\nExamples:\n${lines.join("\n")}`;
}
