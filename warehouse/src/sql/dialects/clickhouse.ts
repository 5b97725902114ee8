import type { Dialect } from "./dialect";

/**
 * Writes control characters as escapes, so that a query is the same over every
 * protocol.
 */
const quoteText = (text: string): string =>
  `'${text.replace(
    // oxlint-disable-next-line no-control-regex -- they are what is escaped
    /[\\'\0-\x1f\x7f]/g,
    (character) =>
      character === "\\" || character === "'"
        ? `\\${character}`
        : `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  )}'`;

/** ClickHouse 23 or later. Its regular expressions are RE2's own. */
export const clickhouse: Dialect = {
  name: "clickhouse",
  quoteText,
  quoteName(name) {
    if (name.includes("\0")) throw new Error("A name cannot have NUL in it.");
    return `"${name.replace(/[\\"]/g, "\\$&")}"`;
  },
  contains: (text, part) => `(position(${text}, ${part}) > 0)`,
  startsWith: (text, part) => `startsWith(${text}, ${part})`,
  endsWith: (text, part) => `endsWith(${text}, ${part})`,
  lengthOf: (text) => `toInt64(lengthUTF8(${text}))`,
  startOf: (text, characters) => `substringUTF8(${text}, 1, ${characters})`,
  isAscii: (text) => `(length(${text}) = lengthUTF8(${text}))`,
  asciiCase: (text, to) => `${to}(${text})`,
  // Without the flag, a dot matches the end of a line, too.
  matches: (text, pattern) => `match(${text}, ${quoteText(`(?-s)${pattern}`)})`,
  replaceMatches: (text, pattern, replacement) =>
    `replaceRegexpAll(${text}, ${quoteText(pattern)}, ${quoteText(replacement.replaceAll("$", "\\"))})`,
  hasRe2: true,
  splitPart: (text, separator, index) =>
    `arrayElement(splitByString(${quoteText(separator)}, ifNull(${text}, '')), ${index})`,
  // The small table is made once and sent to each shard.
  join: "GLOBAL ALL INNER JOIN",
  leftJoin: "GLOBAL ALL LEFT JOIN",
  // The table function for values needs a privilege.
  rowsOf: (names, rows) =>
    `SELECT ${names.map((name, i) => `tupleElement(r, ${i + 1}) AS ${name}`).join(", ")} FROM (SELECT arrayJoin([${rows.map((row) => `tuple(${row.map((cell) => (typeof cell === "bigint" ? `toInt64(${cell})` : quoteText(cell))).join(", ")})`).join(", ")}]) AS r)`,
  mostCharacters: 4_000_000,
  first: ({ columns, rows, count, by, order, all, key }) =>
    `SELECT ${columns} FROM (${rows}) AS t ORDER BY ${[...by, order].join(", ")} LIMIT ${count} BY ${[...by, ...(all === undefined ? [] : [`CASE WHEN ${all} THEN ${key} END`])].join(", ")}`,
  jsonMember: (json, path) =>
    `JSONExtract(${json}, ${path.map(quoteText).join(", ")}, 'Nullable(String)')`,
  isoMs: (text) =>
    `toUnixTimestamp64Milli(parseDateTime64BestEffortOrNull(${text}, 3, 'UTC'))`,
  hashOf: (text) => `cityHash64(${text})`,
  unixMs: (time) => `toUnixTimestamp64Milli(toDateTime64(${time}, 3, 'UTC'))`,
  toFloat: (value) => `toFloat64OrNull(toString(${value}))`,
  toInteger: (text) => `toInt64OrNull(${text})`,
  asInteger: (value) => `toInt64(${value})`,
  asFloat: (value) => `toFloat64(${value})`,
  asText: (value) => `CAST(${value} AS Nullable(String))`,
  floor: (value) => `toInt64(floor(${value}))`,
};
