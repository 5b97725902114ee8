import { InvalidInputError } from "./errors";

/**
 * An argument that must be an object, which callers without types may get wrong.
 * @throws InvalidInputError
 */
export function objectArgument<T extends object>(
  value: T,
  operation: string,
): T {
  const given: unknown = value;
  if (typeof given === "object" && given !== null && !Array.isArray(given))
    return value;
  const kind = Array.isArray(given)
    ? "a list"
    : given === null || given === undefined
      ? String(given)
      : `a ${typeof given}`;
  throw new InvalidInputError(operation, [
    { property: "arguments", message: `must be an object, not ${kind}` },
  ]);
}
