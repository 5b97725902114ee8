/**
 * Tells the person at the terminal what happened beyond what they asked for.
 * The engine shows what its plugins write to standard error.
 */
export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}
