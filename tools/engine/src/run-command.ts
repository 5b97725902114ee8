import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** How to run a command. */
export interface RunCommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** The command is interrupted when this aborts. */
  signal?: AbortSignal;
  /** The command is interrupted after this time, in milliseconds. */
  timeoutMs?: number;
  /** Receives every line of stdout and stderr as it comes. */
  onLine?: (line: string) => void;
}

/** How a command ended. */
export interface CommandResult {
  /** 0 is success; undefined: it could not be started, was interrupted, or took too long. */
  exitCode: number | undefined;
  /** Its output, or why it has none. */
  output: string;
}

const KEPT_LINES = 40;
const GRACE_MS = 5_000;

/**
 * Runs a command to its end and never throws: a failure is a result.
 *
 * It runs in its own process group, so that an interruption reaches the
 * processes which the command has started, too.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  options: RunCommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const ownGroup = process.platform !== "win32";
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      detached: ownGroup,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines: string[] = [];
    const keep = (line: string): void => {
      lines.push(line);
      if (lines.length > KEPT_LINES) lines.shift();
      options.onLine?.(line);
    };
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", keep);
    }

    let stopped: string | undefined;
    const timers: NodeJS.Timeout[] = [];
    const kill = (signal: NodeJS.Signals): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(ownGroup ? -child.pid : child.pid, signal);
      } catch {
        // It has ended by itself in the meantime.
      }
    };
    const stop = (reason: string): void => {
      stopped ??= reason;
      kill("SIGINT");
      timers.push(setTimeout(() => kill("SIGKILL"), GRACE_MS));
    };
    const onAbort = (): void => stop("interrupted");
    options.signal?.addEventListener("abort", onAbort);
    if (options.signal?.aborted) onAbort();
    if (options.timeoutMs !== undefined) {
      const limit = options.timeoutMs;
      const late = (): void =>
        stop(`took longer than ${Math.round(limit / 1000)} s`);
      timers.push(setTimeout(late, limit));
    }

    const finish = (exitCode: number | undefined, output: string): void => {
      timers.forEach(clearTimeout);
      options.signal?.removeEventListener("abort", onAbort);
      resolve({ exitCode, output });
    };
    child.on("error", (error) => finish(undefined, error.message));
    child.on("close", (code, signal) => {
      const output = lines.join("\n").trim();
      if (stopped !== undefined) finish(undefined, stopped);
      else if (code === null) finish(undefined, `ended by ${signal}`);
      else finish(code, output);
    });
  });
}
