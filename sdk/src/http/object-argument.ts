import { kindOf } from "../kind-of";
import { InvalidInputError } from "./errors";

/**
 * An argument that must be an object, which callers without types may get wrong.
 * @param property for messages: the argument
 * @throws InvalidInputError
 */
export function objectArgument<T extends object>(
  value: T | undefined,
  operation: string,
  property = "arguments",
): T {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value;
  throw new InvalidInputError(operation, [
    {
      property,
      message: `must be an object, but is ${kindOf(value)}`,
    },
  ]);
}
