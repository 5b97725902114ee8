import { spawn, type ChildProcess } from "node:child_process";
import type { RuleFileFinding } from "@devid/rules";

/**
 * Checks a text by `devid rules check -` in a process of its own, so that a large file
 * never keeps the editor waiting. A check is stopped when the next one begins.
 */
export class WholeCheck {
  #running: ChildProcess | undefined;

  /** @param program what runs `devid`: the path of its launcher */
  constructor(private readonly program: string) {}

  /** The findings of a text; undefined if another check began meanwhile, or the process failed. */
  async run(text: string): Promise<readonly RuleFileFinding[] | undefined> {
    this.stop();
    const child = spawn(
      process.execPath,
      [this.program, "rules", "check", "-", "--json"],
      { stdio: ["pipe", "pipe", "ignore"] },
    );
    this.#running = child;
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    // The process may be stopped before it has read its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(text);
    await new Promise((resolve) => {
      child.once("close", resolve);
      child.once("error", resolve);
    });
    if (this.#running !== child) return undefined;
    this.#running = undefined;
    try {
      const { findings } = JSON.parse(Buffer.concat(chunks).toString()) as {
        findings: readonly RuleFileFinding[];
      };
      return findings;
    } catch {
      return undefined;
    }
  }

  stop(): void {
    this.#running?.kill();
    this.#running = undefined;
  }
}
