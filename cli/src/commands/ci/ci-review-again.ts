import { takeRunnerVariables, type HostFlags } from "../../ci/code-host";
import { codeHost } from "../../ci/find-code-host";
import { isReviewed } from "../../ci/comments";
import { hostOptions } from "./pipeline-options";
import { Command } from "../../flags/shared-options";

/**
 * `devid ci review-again`: starts the reviews of the open pull requests again, after their
 * base has changed. Only pull requests that this account has reviewed count.
 */
export function ciReviewAgain(): Command {
  return new Command("review-again")
    .flags(hostOptions())
    .action(async (flags: HostFlags) => {
      const host = codeHost(flags, takeRunnerVariables());
      for (const request of await host.openRequests()) {
        if (!(await isReviewed(host, request))) continue;
        const isBegun = await host.reviewAgain(request);
        process.stdout.write(
          isBegun
            ? `The review of ${request} is begun again.\n`
            : `${request} comes from a fork, so its review is not begun again.\n`,
        );
      }
    });
}
