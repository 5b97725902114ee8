import { Command } from "commander";
import { UsageError } from "./errors";
import type { MakeCommand } from "./flags/define-command";
import { errorText } from "./output/report-error";

/**
 * A command: its help, and a function that loads its code when it is called. A group of
 * commands has no code. The first line of the help describes the command. Below are command
 * lines to copy, each under a comment that says what it does.
 */
export type CommandEntry = readonly [
  help: string,
  load?: () => Promise<MakeCommand>,
];

/** Every command of `devid`, by its path. A group comes before its commands. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  serve: [
    `run the local service until it is interrupted
      # run it at http://127.0.0.1:8787, and keep nothing
      devid serve
      # keep everything in a file, and say there which port was free
      devid serve --data service.db --port 0 --ready-file ready.json`,
    async () => (await import("./commands/serve.js")).serve,
  ],
  whoami: [
    `show which workspace and region the configured keys reach
      # show what the configured keys reach
      devid whoami
      # ask the local service about its workspace in eu
      DEVID_ENDPOINT=http://127.0.0.1:8787 devid whoami --region eu`,
    async () => (await import("./commands/workspace/whoami.js")).whoami,
  ],
  rules: [
    `check, compare, review and evaluate filtering rules
      # find the mistakes of a rule file
      devid rules check rules.yaml
      # review its change for a pull request
      devid rules review rules.yaml --format markdown`,
  ],
  "rules check": [
    `check rule files offline: grammar, types, lint
      # check one file
      devid rules check rules.yaml
      # check every file of a folder, and also fail on warnings
      devid rules check --strict rules/`,
    async () => (await import("./commands/rules/rules-check.js")).rulesCheck,
  ],
  "rules test": [
    `run the tests of rule files, or folders of them
      # run the tests of a file
      devid rules test rules.yaml`,
    async () => (await import("./commands/rules/rules-test.js")).rulesTest,
  ],
  "rules fmt": [
    `format the expressions of rule files, or folders of them
      # format a file
      devid rules fmt rules.yaml
      # list the files that are not formatted
      devid rules fmt --check rules/`,
    async () => (await import("./commands/rules/rules-fmt.js")).rulesFmt,
  ],
  "rules explain": [
    `say what a lint finds, why that matters, and how to correct it
      # explain one lint
      devid rules explain may-fail`,
    async () =>
      (await import("./commands/rules/rules-explain.js")).rulesExplain,
  ],
  "rules diff": [
    `show what differs in meaning between two rule sets
      # compare a file with the branch that it is to be merged into
      devid rules diff rules.yaml
      # compare the rules in force with a file
      devid rules diff rules.yaml live
      # compare a file with an earlier one
      devid rules diff v1.2.0:rules.yaml rules.yaml`,
    async () => (await import("./commands/rules/rules-diff.js")).rulesDiff,
  ],
  "rules in-force": [
    `print the rules in force in an environment
      # write the rules in force as a rule file
      devid rules in-force --out rules.yaml
      # print those of one environment as JSON
      devid rules in-force --environment Staging --format json`,
    async () =>
      (await import("./commands/rules/rules-in-force.js")).rulesInForce,
  ],
  "rules impact": [
    `replay rules on past events: what would they have done?
      # replay a file on the events of a week
      devid rules impact rules.yaml --since 7d
      # replay a sample, in a minute at most
      devid rules impact rules.yaml --since 30d --within 60s`,
    async () => (await import("./commands/rules/rules-impact.js")).rulesImpact,
  ],
  "rules usage": [
    `count what each rule, and each term in it, decided
      # find rules and terms that decide nothing
      devid rules usage rules.yaml --since 30d
      # judge the rules in force by the events of a warehouse
      devid rules usage live --since 30d --events "parquet:events/*.parquet"`,
    async () => (await import("./commands/rules/rules-usage.js")).rulesUsage,
  ],
  "rules review": [
    `review a rule file: what it changes, lint, tests, and past events
      # review a change on a terminal
      devid rules review rules.yaml
      # write the comment of a pull request
      devid rules review rules.yaml --format markdown --out review.md`,
    async () => (await import("./commands/rules/rules-review.js")).rulesReview,
  ],
  "rules eval": [
    `evaluate NDJSON from standard input: {"expression","request"} or {"rules","request"} a line; "request" has any of ip, headers (lists of values), userAgent, sdkPlatform, sdkVersion, appPackageName, isAiBot and isCrawlerBot
      # answer a file of questions
      devid rules eval < questions.ndjson > answers.ndjson
      # evaluate one expression
      echo '{"expression":"true","request":{}}' | devid rules eval
      # say why: each rule, and each term in it
      devid rules eval --trace < questions.ndjson`,
    async () => (await import("./commands/rules/rules-eval.js")).rulesEval,
  ],
  ci: [
    `review, apply and watch rules in a pipeline
      # review a pull request, comment on it, and keep its plan
      devid ci review rules.yaml --stack prod`,
  ],
  "ci review": [
    `review a rule file with the plan of its stack, comment, and keep the plan
      # review a pull request
      devid ci review rules.yaml --stack prod --fail-on plan-differs
      # review a recovery of the main branch
      devid ci review rules.yaml --stack prod --recover`,
    async () => (await import("./commands/ci/ci-commands.js")).ciReview,
  ],
  "ci apply": [
    `apply exactly the plan that was reviewed, and say so
      # apply the plan of the pull request that was merged
      devid ci apply rules.yaml --stack prod
      # apply the plan of this run's recovery
      devid ci apply rules.yaml --stack prod --recover`,
    async () => (await import("./commands/ci/ci-commands.js")).ciApply,
  ],
  "ci review-again": [
    `start the reviews of the open pull requests again
      # renew the reviews after the main branch has moved
      devid ci review-again`,
    async () => (await import("./commands/ci/ci-commands.js")).ciReviewAgain,
  ],
  "ci drift": [
    `keep one issue about what differs from a stack
      # open, rewrite or close the issue
      devid ci drift rules.yaml --stack prod`,
    async () => (await import("./commands/ci/ci-commands.js")).ciDrift,
  ],
  export: [
    `write the workspace as a Pulumi program, and change nothing
      # write the whole workspace as a program
      devid export --out shop
      # write rules and webhooks of one environment
      devid export --out shop --environment Staging --include rules,webhooks`,
    async () => (await import("./commands/workspace/export.js")).exportCommand,
  ],
  compare: [
    `show what differs between two workspaces
      # compare the workspaces of two regions
      devid compare us eu
      # compare an export with one environment
      devid compare shop eu/Staging --format markdown`,
    async () => (await import("./commands/workspace/compare.js")).compare,
  ],
  drift: [
    `show how a workspace differs from its stack and program
      # compare the selected stack with its workspace
      devid drift
      # write what differs to a file
      devid drift infra --stack production --format markdown --out drift.md`,
    async () => (await import("./commands/workspace/drift.js")).drift,
  ],
  events: [
    `read, change and export identification events
      # list the last events with a bad bot
      devid events search --bot bad`,
  ],
  "events get": [
    `show an event
      # show the main fields of an event
      devid events get 1708102555327.NLOjmg
      # print all of it
      devid events get 1708102555327.NLOjmg --json`,
    async () => (await import("./commands/events/events-get.js")).eventsGet,
  ],
  "events search": [
    `list matching events (default: of the last 7 days)
      # list bad bots of the last day
      devid events search --bot bad --since 24h
      # list the events of a visitor
      devid events search --visitor-id Ibk1527CUFmcnjLwIs4A --limit 50`,
    async () =>
      (await import("./commands/events/events-search.js")).eventsSearch,
  ],
  "events update": [
    `change the linked ID, the tags or the suspect flag of an event
      # flag an event
      devid events update 1708102555327.NLOjmg --suspect true
      # replace its tags
      devid events update 1708102555327.NLOjmg --tags '{"order":"42"}'`,
    async () =>
      (await import("./commands/events/events-update.js")).eventsUpdate,
  ],
  "events export": [
    `write events that match to a file, one a line, oldest first; the next run with the same file adds what has happened since
      # write a month of events; the next run adds new events
      devid events export --out events.ndjson --since 30d`,
    async () =>
      (await import("./commands/events/events-export.js")).eventsExport,
  ],
  lsp: [
    `serve an editor: findings, completion, fixes in rule files
      # serve an editor over standard input and output
      devid lsp`,
    async () => (await import("./commands/lsp.js")).lsp,
  ],
  drn: [
    `read device reputation, which Android devices have
      # show the reputation of a visitor's device
      devid drn get AcxioeQKffpXF8iGQK3P`,
  ],
  "drn get": [
    `show the reputation of a visitor's device
      # show all that is known of a visitor's device
      devid drn get AcxioeQKffpXF8iGQK3P
      # print its suspect score as JSON
      devid drn get AcxioeQKffpXF8iGQK3P --signals suspect_score --json`,
    async () => (await import("./commands/drn.js")).drnGet,
  ],
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
  for (const [path, [help, load]] of Object.entries(COMMANDS)) {
    const [description = "", ...examples] = help.split(/\n */);
    const [name = "", group = ""] = path.split(" ").reverse();
    const isCalled = path === noun || path === `${noun} ${verb}`;
    const command =
      load && isCalled ? (await loaded(load))(name) : new Command(name);
    command
      .description(description)
      .addHelpText("after", ["\nExamples:", ...examples].join("\n  "));
    groups.get(group)?.addCommand(command);
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
  load: NonNullable<CommandEntry[1]>,
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
