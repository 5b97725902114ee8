import { type Dialect, firstByWindow } from "./dialect";

const quoteText = (text: string): string => {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  // DuckDB's parser ends a query at NUL.
  return text.includes("\0")
    ? `(${quoted.split("\0").join("' || chr(0) || '")})`
    : quoted;
};

/** DuckDB 1.2 or later. Its regular expressions are RE2's own. */
export const duckdb: Dialect = {
  name: "duckdb",
  quoteText,
  quoteName(name) {
    if (name.includes("\0")) throw new Error("A name cannot have NUL in it.");
    return `"${name.replaceAll('"', '""')}"`;
  },
  contains: (text, part) => `contains(${text}, ${part})`,
  startsWith: (text, part) => `starts_with(${text}, ${part})`,
  endsWith: (text, part) => `ends_with(${text}, ${part})`,
  lengthOf: (text) => `length(${text})`,
  startOf: (text, characters) => `left(${text}, ${characters})`,
  isAscii: (text) => `(strlen(${text}) = length(${text}))`,
  asciiCase: (text, to) => `${to}(${text})`,
  // DuckDB rewrites some patterns into comparisons that ignore an anchor: `$$`, `a$b`. It
  // leaves a group as it is.
  matches: (text, pattern) =>
    `regexp_matches(${text}, ${quoteText(`(${pattern})`)})`,
  replaceMatches: (text, pattern, replacement) =>
    `regexp_replace(${text}, ${quoteText(pattern)}, ${quoteText(replacement.replaceAll("$", "\\"))}, 'g')`,
  hasRe2: true,
  splitPart: (text, separator, index) =>
    `split_part(${text}, ${quoteText(separator)}, ${index})`,
  join: "JOIN",
  leftJoin: "LEFT JOIN",
  rowsOf: (names, rows) =>
    `SELECT * FROM (VALUES ${rows.map((row) => `(${row.map((cell) => (typeof cell === "bigint" ? `CAST(${cell} AS bigint)` : quoteText(cell))).join(", ")})`).join(", ")}) AS t (${names.join(", ")})`,
  mostCharacters: 8_000_000,
  first: firstByWindow,
  jsonMember: (json, path) =>
    `json_extract_string(${json}, ${quoteText(path.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""))})`,
  isoMs: (text) => `epoch_ms(TRY_CAST(${text} AS TIMESTAMPTZ))`,
  hashOf: (text) => `hash(${text})`,
  unixMs: (time) => `epoch_ms(${time})`,
  toFloat: (value) => `TRY_CAST(${value} AS double)`,
  toInteger: (text) => `TRY_CAST(${text} AS bigint)`,
  asInteger: (value) => `CAST(${value} AS BIGINT)`,
  asFloat: (value) => `CAST(${value} AS DOUBLE)`,
  asText: (value) => `CAST(${value} AS VARCHAR)`,
  floor: (value) => `CAST(floor(${value}) AS BIGINT)`,
};
