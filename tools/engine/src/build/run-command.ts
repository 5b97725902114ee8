import { createInterface } from "node:readline";
import execa from "execa";

/** How to run a command. */
export interface RunCommandOptions {
  cwd?: string;
  /** Its whole environment; that of this process when left out. */
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
  /** The end of its output, or why it has none. */
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
      // It has ended by itself in the meantime.
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
  // A command that could not be started has no exit code, and a message that says why.
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
