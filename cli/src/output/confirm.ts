import { once } from "node:events";
import { cursorStream } from "./guard-output";

/**
 * Asks a yes-or-no question. Only `y` and `yes` mean yes; the end of the input
 * means no.
 */
export async function confirm(
  question: string,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = cursorStream(process.stderr),
): Promise<boolean> {
  const { createInterface } = process.getBuiltinModule("node:readline");
  const lines = createInterface({ input, output });
  // The terminal is in raw mode here, so Ctrl-C arrives as a key and sends no
  // signal.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  lines.setPrompt(`${question} [y/N] `);
  lines.prompt();
  const answered = Promise.race([once(lines, "line"), once(lines, "close")]);
  const [answer] = (await answered) as [string?];
  lines.close();
  if (answer === undefined) output.write("\n");
  return /^\s*y(es)?\s*$/i.test(answer ?? "");
}
