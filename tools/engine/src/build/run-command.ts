import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** How to run a command. */
export interface RunCommandOptions {
  cwd?: string;
  /** The whole environment of the command; default: that of this process. */
  env?: NodeJS.ProcessEnv;
  /** The command is interrupted when this aborts. */
  signal?: AbortSignal;
  /** The command is interrupted after this time, in milliseconds. */
  timeoutMs?: number;
  /** Receives every line of stdout and stderr as soon as it is written. */
  onLine?: (line: string) => void;
}

/** How a command ended. */
export interface CommandResult {
  /**
   * 0 means success; undefined if the command did not start, was interrupted,
   * or took too long.
   */
  exitCode: number | undefined;
  /** The end of its output, or the reason why there is none. */
  output: string;
}

const KEPT_LINES = 40;
const GRACE_MS = 5_000;

/**
 * Runs a command to its end. It never throws: a failure is a result.
 *
 * The command runs in its own process group, so that an interruption also
 * reaches the processes that it started.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env, signal, timeoutMs, onLine }: RunCommandOptions = {},
): Promise<CommandResult> {
  const ownGroup = process.platform !== "win32";
  let child: ChildProcess;
  try {
    child = spawn(command, args, {
      cwd,
      env: env ?? process.env,
      detached: ownGroup,
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    return { exitCode: undefined, output: (error as Error).message };
  }
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr])
    if (input)
      createInterface({ input }).on("line", (line) => {
        lines.push(line);
        if (lines.length > KEPT_LINES) lines.shift();
        onLine?.(line);
      });
  const end = endOf(child);

  let stopped: string | undefined;
  const timers: NodeJS.Timeout[] = [];
  const kill = (name: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(ownGroup ? -child.pid : child.pid, name);
    } catch {
      // The process has already ended.
    }
  };
  const stop = (reason: string): void => {
    stopped ??= reason;
    kill("SIGINT");
    timers.push(setTimeout(() => kill("SIGKILL"), GRACE_MS));
  };
  const onAbort = (): void => stop("interrupted");
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  if (timeoutMs !== undefined) {
    const late = `took longer than ${Math.round(timeoutMs / 1000)} s`;
    timers.push(setTimeout(() => stop(late), timeoutMs));
  }

  const { exitCode, killedBy, failure } = await end;
  timers.forEach(clearTimeout);
  signal?.removeEventListener("abort", onAbort);
  if (stopped !== undefined) return { exitCode: undefined, output: stopped };
  if (killedBy) return { exitCode: undefined, output: `ended by ${killedBy}` };
  if (failure) return { exitCode: undefined, output: failure.message };
  return { exitCode, output: lines.join("\n").trim() };
}

interface End {
  readonly exitCode?: number;
  readonly killedBy?: NodeJS.Signals;
  /** Why the command did not start. */
  readonly failure?: Error;
}

/** How a process ends, once all of its output is read. */
const endOf = (child: ChildProcess): Promise<End> =>
  new Promise((resolve) => {
    child.once("error", (failure) => resolve({ failure }));
    child.once("close", (code, killedBy) =>
      resolve({
        exitCode: code ?? undefined,
        killedBy: killedBy ?? undefined,
      }),
    );
  });
