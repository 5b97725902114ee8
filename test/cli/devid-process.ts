import { spawn, type ChildProcess } from "node:child_process";
import { once, type EventEmitter } from "node:events";
import { resolve } from "node:path";
import { expect, vi } from "vitest";
import { END_SIGNALS } from "../../cli/src/errors";
import { main } from "../../cli/src/main";
import { UNTHROTTLED } from "../helpers/unthrottled";

/** An address without a server. */
const NOWHERE = "http://127.0.0.1:9";
/** The built command line. */
export const BIN = resolve(__dirname, "../../cli/bin/devid.js");

/** The exit code of a command, and its output. */
export interface DevidResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command says that ends with exit code 1. */
export async function failed(run: Promise<DevidResult>): Promise<string> {
  const { code, stderr } = await run;
  expect(code, stderr).toBe(1);
  return stderr;
}

/** The result of a command that ends with exit code 0. */
export async function succeeded<R extends DevidResult>(
  run: Promise<R>,
): Promise<R> {
  const result = await run;
  expect(result.code, result.stderr).toBe(0);
  return result;
}

/** The environment of a command: only the given variables of devid. */
const environmentOf = (env: Record<string, string>): NodeJS.ProcessEnv => {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("DEVID_"),
  );
  return {
    ...Object.fromEntries(inherited),
    ...UNTHROTTLED,
    COLUMNS: "80",
    ...env,
  };
};

/** A `devid` process, with its output so far. */
export class DevidProcess {
  stdout = "";
  stderr = "";
  /** Resolves when the process has ended and all its output has arrived. */
  readonly #closed: Promise<unknown>;

  private constructor(readonly child: ChildProcess) {
    this.#closed = once(child, "close");
    child.stdout?.on("data", (chunk: Buffer) => {
      this.stdout += chunk.toString();
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
  }

  /** Starts the built command line as a separate process. */
  static start(
    args: readonly string[],
    env: Record<string, string> = {},
    stdin: "ignore" | "pipe" | number = "ignore",
    folder = process.cwd(),
  ): DevidProcess {
    return new DevidProcess(
      spawn(process.execPath, [BIN, ...args], {
        cwd: folder,
        env: environmentOf(env),
        stdio: [stdin, "pipe", "pipe"],
      }),
    );
  }

  /**
   * Runs a command to its end in this process. Commands run one after the other. A separate process
   * would need a second to load modules that are loaded here. Arguments, environment, folder,
   * output and exit code are as in a separate process.
   */
  static run(
    args: readonly string[],
    env: Record<string, string> = {},
    folder = process.cwd(),
  ): Promise<DevidResult> {
    const result = last.then(() => runHere(args, env, folder));
    last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when the process has printed a line. Rejects when it ends before. */
  async firstLine(): Promise<string> {
    while (!this.stdout.includes("\n")) {
      if (this.child.exitCode !== null) throw new Error(this.stderr);
      const { stdout } = this.child;
      if (stdout)
        await Promise.race([once(stdout, "data"), once(this.child, "exit")]);
    }
    return this.stdout.split("\n")[0] ?? "";
  }

  async ended(): Promise<number | null> {
    await this.#closed;
    return this.child.exitCode;
  }
}

/** The command that runs in this process, if there is one. */
let last: Promise<unknown> = Promise.resolve();

/** Thrown in place of `process.exit`. */
class Exit extends Error {}

async function runHere(
  args: readonly string[],
  env: Record<string, string>,
  folder: string,
): Promise<DevidResult> {
  const printed = { stdout: "", stderr: "" };
  let ended: number | undefined;
  const into =
    (name: keyof typeof printed): typeof process.stdout.write =>
    (chunk: string | Uint8Array, ...rest: unknown[]) => {
      if (ended === undefined) printed[name] += Buffer.from(chunk).toString();
      const done = rest.at(-1);
      if (typeof done === "function") (done as () => void)();
      return true;
    };
  const before = { env: process.env, exitCode: process.exitCode };
  const home = process.cwd();
  const spies: { mockRestore(): void }[] = [
    vi.spyOn(process.stdout, "write").mockImplementation(into("stdout")),
    vi.spyOn(process.stderr, "write").mockImplementation(into("stderr")),
    vi.spyOn(process, "exit").mockImplementation((code) => {
      ended ??= Number(code ?? process.exitCode ?? 0);
      throw new Exit();
    }),
  ];
  // The pauses before a retry have random lengths of up to a second. No server will answer, so the pauses are
  // set to 0.
  if (Object.values(env).includes(NOWHERE))
    spies.push(vi.spyOn(Math, "random").mockReturnValue(0));
  Object.assign(process, { env: environmentOf(env), exitCode: undefined });
  const forget = listenersSince();
  try {
    process.chdir(folder);
    await main([process.execPath, BIN, ...args]);
    return { code: ended ?? Number(process.exitCode ?? 0), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
    Object.assign(process, before);
    process.chdir(home);
    // A turn of the event loop, at which a command begins to hear signals.
    await new Promise((resolve) => setImmediate(resolve));
    forget();
  }
}

/** Returns a function that removes listeners that were added since. A separate process would have ended with them. */
function listenersSince(): () => void {
  const places: readonly [emitter: EventEmitter, event: string][] = [
    ...END_SIGNALS.map((signal): [EventEmitter, string] => [process, signal]),
    [process.stdout, "error"],
    [process.stderr, "error"],
  ];
  const before = places.map(([emitter, event]) => emitter.listeners(event));
  return () =>
    places.forEach(([emitter, event], i) => {
      for (const listener of emitter.listeners(event))
        if (!before[i]?.includes(listener))
          emitter.removeListener(event, listener as () => void);
    });
}
