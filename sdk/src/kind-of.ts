/** What a value is, for messages, without its content. */
export const kindOf = (value: unknown) =>
  value === null || value === undefined
    ? String(value)
    : Array.isArray(value)
      ? "a list"
      : `of type ${typeof value}`;
