import { InvalidInputError } from "./http/errors";

/**
 * A text as one segment of a path. What would end up at another path is
 * refused: nothing, and the dots that mean a folder.
 * @throws InvalidInputError naming the property
 */
export function pathSegment(
  value: string,
  property: string,
  operation: string,
): string {
  if (typeof value === "string" && !/^\.{0,2}$/.test(value))
    return encodeURIComponent(value);
  const message = "must be a text that is not empty";
  throw new InvalidInputError(operation, [{ property, message }]);
}
