import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { UNTHROTTLED } from "../helpers/unthrottled";

const BIN = resolve(__dirname, "../../cli/bin/devid.js");

/** A `devid` process and what it has printed so far. */
export class DevidProcess {
  stdout = "";
  stderr = "";

  /** Resolves when it has ended and everything that it printed has arrived. */
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

  /** Starts it with nothing of devid's in the environment but what is given. */
  static start(
    args: readonly string[],
    env: Record<string, string> = {},
    stdin: "ignore" | "pipe" = "ignore",
  ): DevidProcess {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !name.startsWith("DEVID_"),
    );
    return new DevidProcess(
      spawn(process.execPath, [BIN, ...args], {
        env: {
          ...Object.fromEntries(inherited),
          ...UNTHROTTLED,
          COLUMNS: "80",
          ...env,
        },
        stdio: [stdin, "pipe", "pipe"],
      }),
    );
  }

  /** Runs it to its end; answers the exit code. */
  static async run(
    args: readonly string[],
    env?: Record<string, string>,
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const devid = DevidProcess.start(args, env);
    const code = await devid.ended();
    return { code, stdout: devid.stdout, stderr: devid.stderr };
  }

  /** Resolves when it has printed a line; rejects when it ends before. */
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
