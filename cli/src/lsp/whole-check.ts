import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { RuleFileFinding } from "@devid/rules";
import { parsedJson } from "../errors";

/** Checks that run at once. An editor may open hundreds of files together. */
const MOST_AT_ONCE = 4;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Checks a text by `devid rules check -` in a process of its own, so that a large file
 * never keeps the editor waiting. A check is stopped when the next one begins.
 */
export class WholeCheck {
  #last: AbortController | undefined;

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
    const { signal } = (this.#last = new AbortController());
    if (running < MOST_AT_ONCE) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      const found = signal.aborted
        ? undefined
        : await this.#check(text, signal);
      return signal.aborted ? undefined : found;
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  async #check(text: string, signal: AbortSignal) {
    const running = promisify(execFile)(
      process.execPath,
      [this.program, "rules", "check", "-", "--json"],
      { signal, maxBuffer: Infinity },
    );
    // The process may be stopped before it has read its input.
    running.child.stdin?.on("error", () => undefined).end(text);
    // A check that finds a mistake fails, and has an output all the same.
    const { stdout, stderr } = await running.catch(
      (error: { readonly stdout: string; readonly stderr: string }) => error,
    );
    const { findings } = Object(parsedJson(stdout)) as {
      readonly findings?: readonly RuleFileFinding[];
    };
    if (findings) return findings;
    const lastLine = stderr.trim().split("\n").at(-1);
    const { error } = Object(parsedJson(lastLine ?? "")) as {
      readonly error?: { readonly message: string };
    };
    return new Error(error?.message ?? "The check ended without a word.");
  }

  stop(): void {
    this.#last?.abort();
  }
}
