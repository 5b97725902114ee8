import { Command } from "commander";
import { addCommands, type CommandTable } from "../../command-table";

const COMMANDS: CommandTable = {
  review: {
    description:
      "review a rule file with the plan of its stack, comment, and keep the plan",
    examples: [
      [
        "devid ci review rules.yaml --stack prod --fail-on plan-differs",
        "review a pull request",
      ],
      [
        "devid ci review rules.yaml --stack prod --recover",
        "review a recovery of the main branch",
      ],
    ],
    load: async () => (await import("./ci-commands.js")).ciReview(),
  },
  apply: {
    description: "apply exactly the plan that was reviewed, and say so",
    examples: [
      [
        "devid ci apply rules.yaml --stack prod",
        "apply the plan of the pull request that was merged",
      ],
      [
        "devid ci apply rules.yaml --stack prod --recover",
        "apply the plan of this run's recovery",
      ],
    ],
    load: async () => (await import("./ci-commands.js")).ciApply(),
  },
  "review-again": {
    description: "start the reviews of the open pull requests again",
    examples: [
      [
        "devid ci review-again",
        "renew the reviews after the main branch has moved",
      ],
    ],
    load: async () => (await import("./ci-commands.js")).ciReviewAgain(),
  },
  drift: {
    description: "keep one issue about what differs from a stack",
    examples: [
      [
        "devid ci drift rules.yaml --stack prod",
        "open, rewrite or close the issue",
      ],
    ],
    load: async () => (await import("./ci-commands.js")).ciDrift(),
  },
};

/** `devid ci`: what the pipelines of GitHub and GitLab run. */
export function ci(args: readonly string[]): Promise<Command> {
  return addCommands(new Command("ci"), COMMANDS, args);
}
