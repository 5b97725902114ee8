import { spawn, type ChildProcess } from "node:child_process";
import type { RuleFileFinding } from "@devid/rules";
import { parsedJson } from "../errors";

/**
 * Checks a text by `devid rules check -` in a process of its own, so that a large file
 * never keeps the editor waiting. A check is stopped when the next one begins.
 */
export class WholeCheck {
  #running: ChildProcess | undefined;

  /** @param program what runs `devid`: the path of its launcher */
  constructor(private readonly program: string) {}

  /**
   * The findings of a text, or the error that stopped the check, such as that of a file
   * that is too large; undefined if another check began meanwhile.
   */
  async run(
    text: string,
  ): Promise<readonly RuleFileFinding[] | Error | undefined> {
    this.stop();
    const child = spawn(
      process.execPath,
      [this.program, "rules", "check", "-", "--json"],
      { stdio: ["pipe", "pipe", "pipe"] },
    );
    this.#running = child;
    const [chunks, said]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
    // The process may be stopped before it has read its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(text);
    await new Promise((resolve) => {
      child.once("close", resolve);
      child.once("error", resolve);
    });
    if (this.#running !== child) return undefined;
    this.#running = undefined;
    const { findings } = Object(
      parsedJson(Buffer.concat(chunks).toString()),
    ) as { readonly findings?: readonly RuleFileFinding[] };
    if (findings) return findings;
    const lastLine = Buffer.concat(said).toString().trim().split("\n").at(-1);
    const { error } = Object(parsedJson(lastLine ?? "")) as {
      readonly error?: { readonly message: string };
    };
    return new Error(error?.message ?? "The check ended without a word.");
  }

  stop(): void {
    this.#running?.kill();
    this.#running = undefined;
  }
}
