/** How an unknown value arrives in `check` and `diff` during a preview. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether a value is unknown, or holds something that is. */
export function containsUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(containsUnknown);
}

/** A value with words in place of all that is unknown in it, to be shown. */
export function nameUnknown<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value).replaceAll(UNKNOWN, "(known after the update)"),
  ) as T;
}
