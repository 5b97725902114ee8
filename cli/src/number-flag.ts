import { InvalidArgumentError } from "commander";

/** Reads a flag as a number. @throws InvalidArgumentError */
export function numberFlag(text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number)) return number;
  throw new InvalidArgumentError("It has to be a number.");
}
