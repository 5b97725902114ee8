/** The values of columns and of bound parameters. */
export type SqlValue = string | number | null;

/** What is stored for a value: a boolean as 0 or 1, an object or a list as JSON. */
export function stored(value: unknown): SqlValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string" || typeof value === "number") return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}
