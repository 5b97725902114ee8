import { InvalidInputError } from "./errors";

/**
 * A path with IDs in it: an ID from anywhere stays one segment of its path. What
 * would end up at another path is refused: nothing, and the dots that mean a
 * folder.
 *
 * @example
 * pathTo("/webhooks", { id }, operation); // "/webhooks/wh_1"
 * @throws InvalidInputError naming the ID
 */
export function pathTo(
  folder: string,
  ids: Readonly<Record<string, unknown>>,
  operation: string,
): string {
  const segments = Object.entries(ids).map(([property, id]) => {
    if (typeof id === "string" && !/^\.{0,2}$|\p{Surrogate}/u.test(id))
      return encodeURIComponent(id);
    const message = "must be a text that is not empty";
    throw new InvalidInputError(operation, [{ property, message }]);
  });
  return [folder, ...segments].join("/");
}
