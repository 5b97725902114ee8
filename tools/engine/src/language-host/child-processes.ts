import {
  spawn,
  type ChildProcess,
  type SpawnOptions,
} from "node:child_process";

const GRACE_MS = 2_000;

/** How a child process ended. */
export type ChildExit =
  | { code: number }
  | { signal: NodeJS.Signals }
  | { failure: Error };

/** The child processes of this host. No child outlives the host. */
export class ChildProcesses {
  readonly #running = new Map<ChildProcess, Promise<ChildExit>>();

  /**
   * Starts a child process without stdin.
   *
   * @returns the child, and its end: settled when its output has ended, too.
   */
  start(
    command: string,
    args: readonly string[],
    options: SpawnOptions,
  ): { child: ChildProcess; exit: Promise<ChildExit> } {
    const child = spawn(command, args, options);
    const exit = new Promise<ChildExit>((resolve) => {
      child.on("error", (failure) => resolve({ failure }));
      child.on("close", (code, signal) =>
        resolve(signal ? { signal } : { code: code ?? 1 }),
      );
    }).finally(() => this.#running.delete(child));
    this.#running.set(child, exit);
    return { child, exit };
  }

  /** Asks a child to end, and kills it after two seconds. */
  async end(child: ChildProcess): Promise<void> {
    const exit = this.#running.get(child);
    if (exit === undefined) return;
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
    await exit;
    clearTimeout(timer);
  }

  /** Ends all children. */
  async endAll(): Promise<void> {
    const all = [...this.#running.keys()];
    await Promise.all(all.map((child) => this.end(child)));
  }
}

/** Describes a failed end: `exited with code 1`. */
export function describeExit(exit: ChildExit): string {
  if ("failure" in exit) return `could not be started: ${exit.failure.message}`;
  if ("signal" in exit) return `was ended by ${exit.signal}`;
  return `exited with code ${exit.code}`;
}
