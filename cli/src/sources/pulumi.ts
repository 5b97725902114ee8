import { spawn } from "node:child_process";
import { once } from "node:events";
import { UsageError } from "../errors";

/** What a run of `pulumi` printed, and how it ended. */
export interface PulumiRun {
  /** Absent if a signal ended it. */
  readonly code: number | null;
  /** Empty if the output was shown. */
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs `pulumi` in this folder.
 * @param env variables beside those of this process
 * @param isShown whether its output goes to the log in place of the answer
 * @param signal passes an interruption on: `pulumi` then ends its update cleanly
 * @throws UsageError if it cannot be started
 */
export async function runPulumi(
  args: readonly string[],
  {
    env = {},
    isShown = false,
    signal,
  }: {
    readonly env?: Readonly<Record<string, string>>;
    readonly isShown?: boolean;
    readonly signal?: AbortSignal;
  } = {},
): Promise<PulumiRun> {
  const output = isShown ? "inherit" : "pipe";
  const child = spawn("pulumi", [...args, "--non-interactive"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", output, output],
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  const interrupt = () => child.kill("SIGINT");
  signal?.addEventListener("abort", interrupt);
  // Where nothing handles the interruption, this process ends, and pulumi with it.
  process.once("exit", interrupt);
  try {
    const [code] = (await once(child, "close")) as [number | null];
    const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString();
    return { code, stdout: text(stdout), stderr: text(stderr) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === "ENOENT"
        ? "pulumi cannot be run: it is not on the PATH."
        : `pulumi cannot be run: ${message}.`,
    );
  } finally {
    signal?.removeEventListener("abort", interrupt);
    process.removeListener("exit", interrupt);
  }
}

/** The state of a stack; its secrets are encrypted. @throws UsageError */
export async function stateOf(stack: string): Promise<string> {
  const { code, stdout, stderr } = await runPulumi([
    "stack",
    "export",
    "--stack",
    stack,
  ]);
  if (code === 0) return stdout;
  throw new UsageError(
    `pulumi could not read the state of stack ${stack}:\n${(stderr || stdout).trim()}`,
  );
}
