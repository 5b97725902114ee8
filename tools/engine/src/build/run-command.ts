import { createInterface } from "node:readline";
import execa from "execa";

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
  const child = execa(command, args, {
    cwd,
    env,
    extendEnv: env === undefined,
    detached: ownGroup,
    stdin: "ignore",
    all: true,
    reject: false,
  });
  if (child.all && onLine)
    createInterface({ input: child.all }).on("line", onLine);

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

  const ended = await child;
  timers.forEach(clearTimeout);
  signal?.removeEventListener("abort", onAbort);
  if (stopped !== undefined) return { exitCode: undefined, output: stopped };
  if (ended.signal)
    return { exitCode: undefined, output: `ended by ${ended.signal}` };
  // A command that did not start has no exit code; its message gives the
  // reason.
  if (ended.exitCode === undefined)
    return { exitCode: undefined, output: messageOf(ended) };
  const lines = (ended.all ?? "").split("\n").slice(-KEPT_LINES);
  return { exitCode: ended.exitCode, output: lines.join("\n").trim() };
}

function messageOf(ended: object): string {
  const { originalMessage = "it could not be started" } =
    ended as Partial<execa.ExecaError>;
  return originalMessage;
}
