import { UsageError } from "../errors";
import {
  hostOf,
  type CodeHost,
  type HostFlags,
  type RunnerVariables,
} from "./code-host";
import { gitHub } from "./github";
import { gitLab } from "./gitlab";

/**
 * The host of this pipeline, from the variables of its runner.
 * @throws UsageError if the runner is of no known host
 */
export function codeHost(flags: HostFlags, env: RunnerVariables): CodeHost {
  if (env.GITLAB_CI) return hostOf(gitLab(env, flags));
  if (env.GITHUB_ACTIONS) return hostOf(gitHub(env, flags));
  throw new UsageError(
    "devid ci runs in a pipeline of GitHub or GitLab, and neither GITHUB_ACTIONS nor GITLAB_CI is set here. Elsewhere, set one of them to true, and give the variables of that host. On a terminal, devid rules review makes the same review.",
  );
}
