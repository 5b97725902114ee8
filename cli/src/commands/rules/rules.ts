import { Command } from "commander";
import { addCommands, type CommandTable } from "../../command-table";

const COMMANDS: CommandTable = {
  check: {
    description: "check rule files offline: grammar, types, lint",
    load: async () => (await import("./rules-check.js")).rulesCheck(),
  },
  test: {
    description: "run the tests of rule files, or folders of them",
    load: async () => (await import("./rules-test.js")).rulesTest(),
  },
  fmt: {
    description: "format the expressions of rule files, or folders of them",
    load: async () => (await import("./rules-fmt.js")).rulesFmt(),
  },
  diff: {
    description: "show what differs in meaning between two rule sets",
    load: async () => (await import("./rules-diff.js")).rulesDiff(),
  },
  "in-force": {
    description: "print the rules in force in an environment",
    load: async () => (await import("./rules-in-force.js")).rulesInForce(),
  },
  impact: {
    description: "replay rules on past events: what would they have done?",
    load: async () => (await import("./rules-impact.js")).rulesImpact(),
  },
  review: {
    description:
      "review a rule file: what it changes, lint, tests, and past events",
    load: async () => (await import("./rules-review.js")).rulesReview(),
  },
  applied: {
    description: "report what an update did, and what it did not do",
    load: async () => (await import("./rules-applied.js")).rulesApplied(),
  },
  eval: {
    description:
      'evaluate NDJSON from standard input: {"expression","request"} or {"rules","request"} a line',
    load: async () => (await import("./rules-eval.js")).rulesEval(),
  },
};

/** `devid rules`: the commands for filtering rules. */
export function rules(args: readonly string[]): Promise<Command> {
  return addCommands(new Command("rules"), COMMANDS, args);
}
