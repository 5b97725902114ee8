import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { parsedJson, UsageError } from "../errors";
import { openPrivately } from "../output/write-output";

/** What a run of `pulumi` printed, and how it ended. */
export interface PulumiRun {
  /** Absent if a signal ended it. */
  readonly code: number | null;
  /** Empty if the output was shown. */
  readonly stdout: string;
  readonly stderr: string;
}

/** How `pulumi` runs. */
interface PulumiOptions {
  /** Default: this folder. */
  readonly folder?: string;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether its output goes to the log in place of the answer. */
  readonly isShown?: boolean;
  /**
   * With `isShown`, the new file that gets its standard error, which only its owner can
   * read. A file, and not a pipe, because `pulumi` must be able to end its update if this
   * process is killed.
   */
  readonly errorsTo?: string;
  /** Passes an interruption on: `pulumi` then ends its update cleanly. */
  readonly signal?: AbortSignal;
}

/** Runs `pulumi`. @throws UsageError if it cannot be started */
export async function runPulumi(
  args: readonly string[],
  options: PulumiOptions = {},
): Promise<PulumiRun> {
  const { folder = ".", env = {}, isShown = false, errorsTo, signal } = options;
  const output = isShown ? "inherit" : "pipe";
  const errors = errorsTo === undefined ? output : openPrivately(errorsTo);
  const child = spawn("pulumi", [...args, "--non-interactive"], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", output, errors],
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
    if (typeof errors === "number") closeSync(errors);
    signal?.removeEventListener("abort", interrupt);
    process.removeListener("exit", interrupt);
  }
}

/** A stack of the program in a folder; without a name, the selected one. */
export interface StackOfProgram {
  readonly folder: string;
  readonly stack?: string;
}

/** The state of a stack of the program in this folder; its secrets are encrypted. @throws UsageError */
export const stateOf = (stack: string): Promise<string> =>
  printed("read the state", ["stack", "export"], { folder: ".", stack });

/** What `pulumi config --json` prints. A secret that it does not show has no value. */
const Config = z.record(
  z.string(),
  z.object({ value: z.string().optional().catch(undefined) }),
);

/** Stack config by name, secrets included. @throws UsageError */
export async function configOf(
  program: StackOfProgram,
): Promise<Record<string, string | undefined>> {
  const args = ["config", "--json", "--show-secrets"];
  const text = await printed("read stack config", args, program);
  const { data } = Config.safeParse(parsedJson(text));
  if (!data)
    throw new UsageError(
      "pulumi config --json has printed something else than stack config in JSON.",
    );
  return Object.fromEntries(
    Object.entries(data).map(([name, { value }]) => [name, value]),
  );
}

/**
 * The output of `pulumi preview --json --show-sames`, without a check for existing objects;
 * also of a preview that failed.
 * @throws UsageError
 */
export async function previewOf(program: StackOfProgram): Promise<string> {
  const { folder } = program;
  if (!existsSync(join(folder, "Pulumi.yaml")))
    throw new UsageError(
      `${folder} is not the folder of a program: it has no Pulumi.yaml.`,
    );
  const args = ["preview", "--json", "--show-sames"];
  return printed("preview the program", args, program);
}

/** What pulumi prints about a stack. @throws UsageError if it fails, except for a preview in JSON */
async function printed(
  what: string,
  args: readonly string[],
  { folder, stack }: StackOfProgram,
): Promise<string> {
  const { code, stdout, stderr } = await runPulumi(
    [...args, ...(stack === undefined ? [] : ["--stack", stack])],
    { folder, env: { DEVID_OFFLINE: "true" } },
  );
  const isPreview = args[0] === "preview" && /^\s*\{/.test(stdout);
  if (code === 0 || isPreview) return stdout;
  const reason = (stderr || stdout).trim() || "It gave no reason.";
  throw new UsageError(
    `pulumi could not ${what} (pulumi ${args.slice(0, 2).join(" ")}${stack === undefined ? "" : ` of stack ${stack}`} in ${folder}):\n${reason}`,
  );
}
