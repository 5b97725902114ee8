import { Command } from "commander";
import { addCommands, type CommandTable } from "../../command-table";

const COMMANDS: CommandTable = {
  check: {
    description: "check rule files offline: grammar, types, lint",
    examples: [
      ["devid rules check rules.yaml", "check one file"],
      [
        "devid rules check --strict rules/",
        "check every file of a folder, and also fail on warnings",
      ],
    ],
    load: async () => (await import("./rules-check.js")).rulesCheck(),
  },
  test: {
    description: "run the tests of rule files, or folders of them",
    examples: [["devid rules test rules.yaml", "run the tests of a file"]],
    load: async () => (await import("./rules-test.js")).rulesTest(),
  },
  fmt: {
    description: "format the expressions of rule files, or folders of them",
    examples: [
      ["devid rules fmt rules.yaml", "format a file"],
      [
        "devid rules fmt --check rules/",
        "list the files that are not formatted",
      ],
    ],
    load: async () => (await import("./rules-fmt.js")).rulesFmt(),
  },
  explain: {
    description:
      "say what a lint finds, why that matters, and how to correct it",
    examples: [["devid rules explain may-fail", "explain one lint"]],
    load: async () => (await import("./rules-explain.js")).rulesExplain(),
  },
  diff: {
    description: "show what differs in meaning between two rule sets",
    examples: [
      [
        "devid rules diff rules.yaml",
        "compare a file with the branch that it is to be merged into",
      ],
      [
        "devid rules diff rules.yaml live",
        "compare the rules in force with a file",
      ],
      [
        "devid rules diff --base v1.2.0:rules.yaml rules.yaml",
        "compare a file with an earlier one",
      ],
    ],
    load: async () => (await import("./rules-diff.js")).rulesDiff(),
  },
  "in-force": {
    description: "print the rules in force in an environment",
    examples: [
      [
        "devid rules in-force --out rules.yaml",
        "write the rules in force as a rule file",
      ],
      [
        "devid rules in-force --environment Staging --format json",
        "print those of one environment as JSON",
      ],
    ],
    load: async () => (await import("./rules-in-force.js")).rulesInForce(),
  },
  impact: {
    description: "replay rules on past events: what would they have done?",
    examples: [
      [
        "devid rules impact rules.yaml --since 7d",
        "replay a file on the events of a week",
      ],
      [
        "devid rules impact rules.yaml --since 30d --within 60s",
        "replay a sample, in a minute at most",
      ],
    ],
    load: async () => (await import("./rules-impact.js")).rulesImpact(),
  },
  usage: {
    description: "count what each rule, and each term in it, decided",
    examples: [
      [
        "devid rules usage rules.yaml --since 30d",
        "find rules and terms that decide nothing",
      ],
      [
        'devid rules usage live --since 30d --events "parquet:events/*.parquet"',
        "judge the rules in force by the events of a warehouse",
      ],
    ],
    load: async () => (await import("./rules-usage.js")).rulesUsage(),
  },
  review: {
    description:
      "review a rule file: what it changes, lint, tests, and past events",
    examples: [
      ["devid rules review rules.yaml", "review a change on a terminal"],
      [
        "devid rules review rules.yaml --format markdown --out review.md",
        "write the comment of a pull request",
      ],
    ],
    load: async () => (await import("./rules-review.js")).rulesReview(),
  },
  applied: {
    description: "report what an update did, and what it did not do",
    examples: [
      [
        "devid rules applied rules.yaml --events events.json",
        "report what pulumi up --event-log events.json did",
      ],
    ],
    load: async () => (await import("./rules-applied.js")).rulesApplied(),
  },
  eval: {
    description:
      'evaluate NDJSON from standard input: {"expression","request"} or {"rules","request"} a line',
    examples: [
      [
        "devid rules eval < questions.ndjson > answers.ndjson",
        "answer a file of questions",
      ],
      [
        `echo '{"expression":"true","request":{}}' | devid rules eval`,
        "evaluate one expression",
      ],
      [
        "devid rules eval --trace < questions.ndjson",
        "say why: each rule, and each term in it",
      ],
    ],
    load: async () => (await import("./rules-eval.js")).rulesEval(),
  },
};

/** `devid rules`: the commands for filtering rules. */
export function rules(args: readonly string[]): Promise<Command> {
  return addCommands(new Command("rules"), COMMANDS, args);
}
