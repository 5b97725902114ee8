import { UsageError } from "../errors";
import type { CodeHost, HostFlags, RunnerVariables } from "./code-host";
import { GitHub } from "./github";
import { GitLab } from "./gitlab";

/**
 * The host of this pipeline, from the variables of its runner.
 * @throws UsageError if the runner is of no known host
 */
export function codeHost(flags: HostFlags, env: RunnerVariables): CodeHost {
  const name =
    flags.host ??
    (env.GITLAB_CI ? "gitlab" : env.GITHUB_ACTIONS ? "github" : undefined);
  if (name === "github") return new GitHub(env, flags);
  if (name === "gitlab") return new GitLab(env, flags);
  throw new UsageError(
    "devid ci runs in a pipeline of GitHub or GitLab, and neither GITHUB_ACTIONS nor GITLAB_CI is set here. Elsewhere, name the host with --host, and give its variables. On a terminal, devid rules review makes the same review.",
  );
}
