import { InvalidArgumentError } from "commander";

/** The number that a flag was given. @throws InvalidArgumentError unless it is a whole one from 0 */
export function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 0.");
}
