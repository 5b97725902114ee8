import { once } from "node:events";
import { createInterface } from "node:readline";

/**
 * Asks a question that is answered y or N. Everything but `y` and `yes` is no,
 * and so is the end of the input.
 */
export async function confirm(
  question: string,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<boolean> {
  const lines = createInterface({ input, output });
  // The terminal is read raw here, so Ctrl-C is a key and no signal.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  lines.setPrompt(`${question} [y/N] `);
  lines.prompt();
  const answered = Promise.race([once(lines, "line"), once(lines, "close")]);
  const [answer] = (await answered) as [string?];
  lines.close();
  if (answer === undefined) output.write("\n");
  return /^\s*y(es)?\s*$/i.test(answer ?? "");
}
