import { InvalidInputError } from "./errors";

/**
 * Puts IDs into a path, each as one encoded segment. An empty ID, `.` and `..` are
 * refused, because they would lead to another path.
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
    const message =
      'must be an ID, which is a text other than "", "." and ".."';
    throw new InvalidInputError(operation, [{ property, message }]);
  });
  return [folder, ...segments].join("/");
}
