/** A value for a message: a text or a number as it is, of anything else what it is. */
export const labelOf = (value: unknown) =>
  typeof value === "string" || typeof value === "number"
    ? String(value) || "(empty)"
    : kindOf(value);

/** What a value is, for messages, without its content. */
export const kindOf = (value: unknown) =>
  value === null || value === undefined
    ? String(value)
    : Array.isArray(value)
      ? "a list"
      : `of type ${typeof value}`;
