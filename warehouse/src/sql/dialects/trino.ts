import { type Dialect, firstByWindow } from "./dialect";

/**
 * Writes a control character as an escape of a Unicode literal, because queries are
 * sent as text.
 */
const quoteText = (text: string): string => {
  // oxlint-disable-next-line no-control-regex -- they are what is escaped
  if (!/[\0-\x1f\x7f]/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  const escaped = text.replace(
    // oxlint-disable-next-line no-control-regex -- they are what is escaped
    /[\\'\0-\x1f\x7f]/g,
    (character) =>
      character === "\\"
        ? "\\\\"
        : character === "'"
          ? "''"
          : `\\${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `U&'${escaped}'`;
};

/** Trino 400 or later, with either of its libraries for regular expressions. */
export const trino: Dialect = {
  name: "trino",
  quoteText,
  quoteName(name) {
    if (name.includes("\0")) throw new Error("A name cannot have NUL in it.");
    return `"${name.replaceAll('"', '""')}"`;
  },
  contains: (text, part) => `(strpos(${text}, ${part}) > 0)`,
  startsWith: (text, part) => `starts_with(${text}, ${part})`,
  endsWith: (text, part) =>
    `(length(${text}) >= length(${part}) AND substr(${text}, length(${text}) - length(${part}) + 1) = ${part})`,
  lengthOf: (text) => `length(${text})`,
  startOf: (text, characters) => `substr(${text}, 1, ${characters})`,
  isAscii: (text) => `(length(to_utf8(${text})) = length(${text}))`,
  asciiCase: (text, to) => `${to}(${text})`,
  matches: (text, pattern) => `regexp_like(${text}, ${quoteText(pattern)})`,
  replaceMatches: (text, pattern, replacement) =>
    `regexp_replace(${text}, ${quoteText(pattern)}, ${quoteText(replacement)})`,
  hasRe2: false,
  splitPart: (text, separator, index) =>
    `split_part(${text}, ${quoteText(separator)}, ${index})`,
  join: "JOIN",
  leftJoin: "LEFT JOIN",
  rowsOf: (names, rows) =>
    `SELECT * FROM (VALUES ${rows.map((row) => `(${row.map((cell) => (typeof cell === "bigint" ? `CAST(${cell} AS bigint)` : quoteText(cell))).join(", ")})`).join(", ")}) AS t (${names.join(", ")})`,
  mostCharacters: 500_000,
  first: firstByWindow,
  // The planner looks for equal parts in all expressions that have the same value in the
  // same row. For the large expressions of a vector, that took 12 s of a query. It leaves
  // out expressions with a random number. This one is always 0.
  opaque: (integer) => `(${integer}) + CAST(floor(random()) AS bigint)`,
  jsonMember: (json, path) =>
    `json_extract_scalar(${json}, ${quoteText(`$${path.map((name) => `[${JSON.stringify(name)}]`).join("")}`)})`,
  isoMs: (text) =>
    `date_diff('millisecond', TIMESTAMP '1970-01-01 00:00:00 UTC', TRY(from_iso8601_timestamp(${text})))`,
  hashOf: (text) => `from_big_endian_64(xxhash64(to_utf8(${text})))`,
  unixMs: (time) => `CAST(round(to_unixtime(${time}) * 1000) AS bigint)`,
  toFloat: (value) => `TRY_CAST(${value} AS double)`,
  toInteger: (text) => `TRY_CAST(${text} AS bigint)`,
  asInteger: (value) => `CAST(${value} AS bigint)`,
  asFloat: (value) => `CAST(${value} AS double)`,
  asText: (value) => `CAST(${value} AS varchar)`,
  floor: (value) => `CAST(floor(${value}) AS bigint)`,
};
