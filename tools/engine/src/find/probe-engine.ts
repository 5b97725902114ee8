import path from "node:path";
import {
  findBeside,
  findOnPath,
  isExecutable,
  NODE_HOST,
} from "../engine-files.js";
import {
  isAtLeast,
  MINIMUM_ENGINE_VERSION,
  parseEngineVersion,
} from "../engine-version.js";
import { runCommand } from "../build/run-command.js";

/** Whether an installed `pulumi` is usable; if not, the reason. */
export type ProbedEngine =
  | { usable: true; path: string; version: string }
  | { usable: false; reason: string };

const VERSION_TIMEOUT_MS = 30_000;

/**
 * Checks whether an installed `pulumi` can run our programs.
 *
 * @param command a path, or a command name to look up on PATH.
 */
export async function probeEngine(
  command: string,
  env: NodeJS.ProcessEnv,
): Promise<ProbedEngine> {
  const isPath = command.includes("/") || command.includes(path.sep);
  const file = isPath ? path.resolve(command) : await findOnPath(command, env);
  if (file === undefined) return unusable(`no \`${command}\` there`);
  if (!(await isExecutable(file))) {
    return unusable(`${file} does not exist or is not executable`);
  }

  const asked = await runCommand(file, ["version"], {
    env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    timeoutMs: VERSION_TIMEOUT_MS,
  });
  const version = parseEngineVersion(asked.output);
  if (asked.exitCode !== 0 || version === undefined) {
    return unusable(`\`${file} version\` failed: ${asked.output}`);
  }
  if (!isAtLeast(version, MINIMUM_ENGINE_VERSION)) {
    return unusable(
      `${file} is version ${version}, older than ${MINIMUM_ENGINE_VERSION}`,
    );
  }
  if ((await findBeside(file, NODE_HOST, env)) === undefined) {
    return unusable(`${file} has no ${NODE_HOST} beside it or on PATH`);
  }
  return { usable: true, path: file, version };
}

function unusable(reason: string): ProbedEngine {
  return { usable: false, reason };
}
