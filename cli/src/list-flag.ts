import { InvalidArgumentError } from "commander";

/** Reads a flag as a list, `a,b`, of values that are known. @throws InvalidArgumentError */
export function listFlag<T extends string>(
  known: readonly T[],
): (text: string) => readonly T[] {
  return (text) =>
    text.split(",").map((part) => {
      const value = known.find((one) => one === part.trim());
      if (value !== undefined) return value;
      throw new InvalidArgumentError(
        `"${part.trim()}" is none of ${known.join(", ")}.`,
      );
    });
}
