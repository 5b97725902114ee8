/** The engines whose SQL is written. */
export type DialectName = "duckdb" | "clickhouse" | "trino";

/** The first rows of each group, for `Dialect.first`. */
interface FirstRows {
  /** The columns that are selected. */
  readonly columns: string;
  /** The select that has the rows. */
  readonly rows: string;
  readonly count: number;
  /** The columns of a group. */
  readonly by: readonly string[];
  /** The order of the rows in a group. */
  readonly order: string;
  /** A condition for the groups of which all rows are selected; default: none. */
  readonly all?: string;
  /** With `all`: a column with a different value in each row of a group. */
  readonly key?: string;
}

/**
 * How one engine spells what rules need. Every function takes and returns SQL, unless
 * its parameter is named otherwise. The functions are total: no value of a row makes a
 * query fail.
 */
export interface Dialect {
  /** A text as a literal. Every character is kept, also NUL and quotes. */
  readonly quoteText: (text: string) => string;
  /** The name of a column or a table. @throws Error for a name with NUL, which no engine takes */
  readonly quoteName: (name: string) => string;

  /** Whether `text` has `part` within it. */
  readonly contains: (text: string, part: string) => string;
  readonly startsWith: (text: string, part: string) => string;
  readonly endsWith: (text: string, part: string) => string;
  /** The number of characters (code points) of a text. */
  readonly lengthOf: (text: string) => string;
  /** The first characters (code points) of a text. */
  readonly startOf: (text: string, characters: number) => string;
  readonly isAscii: (text: string) => string;
  /** Whether a pattern, a plain text, matches somewhere in a text. Without RE2: a pattern of simple classes. */
  readonly matches: (text: string, pattern: string) => string;
  /**
   * A text with every match of a pattern replaced; `$1` in the replacement is the first
   * group. Pattern and replacement are plain texts.
   */
  readonly replaceMatches: (
    text: string,
    pattern: string,
    replacement: string,
  ) => string;
  /** Whether its regular expressions are those of RE2. */
  readonly hasRe2: boolean;
  /**
   * A part of a text between separators, counted from 1; empty or null if there is no
   * such part.
   */
  readonly splitPart: (
    text: string,
    separator: string,
    index: number,
  ) => string;

  /** The keyword of a join, or in front of JOIN, of rows with a small second table. */
  readonly join: string;
  readonly leftJoin: string;
  /** A select of rows of integers and texts, at least one, with names for their columns. */
  readonly rowsOf: (
    names: readonly string[],
    rows: readonly (readonly (bigint | string)[])[],
  ) => string;
  /** Longest query of `rowsOf`, in characters, with which a server can be expected to agree. */
  readonly mostCharacters: number;
  /** The first rows of each group, sorted by group. */
  readonly first: (rows: FirstRows) => string;
  /**
   * An integer as another expression of the same value, which the planner does not
   * compare with other expressions. Left out if the planner takes no time for large
   * expressions.
   */
  readonly opaque?: (integer: string) => string;

  /** The member of a JSON text at a path, as text; null if it is absent or null. */
  readonly jsonMember: (json: string, path: readonly string[]) => string;
  /** The moment that a text of ISO 8601 names, as Unix milliseconds; null for a text that names none. */
  readonly isoMs: (text: string) => string;
  /** A point in time as Unix milliseconds. */
  readonly unixMs: (time: string) => string;
  /** An integer that equal texts share, and hardly any others. */
  readonly hashOf: (text: string) => string;
  /** A value as a floating-point number; null if it is not a number. */
  readonly toFloat: (value: string) => string;
  /** A text as a whole number; null if it is not one. */
  readonly toInteger: (text: string) => string;
  readonly asInteger: (value: string) => string;
  readonly asFloat: (value: string) => string;
  readonly asText: (value: string) => string;
  /** The largest whole number up to a floating-point number, as an integer. */
  readonly floor: (value: string) => string;
}

/** What DuckDB and Trino spell alike. */
const standard = (quoteText: Dialect["quoteText"]) =>
  ({
    quoteText,
    quoteName: (name) => `"${withoutNul(name).replaceAll('"', '""')}"`,
    startsWith: (text, part) => `starts_with(${text}, ${part})`,
    lengthOf: (text) => `length(${text})`,
    startOf: (text, characters) => `substr(${text}, 1, ${characters})`,
    splitPart: (text, separator, index) =>
      `split_part(${text}, ${quoteText(separator)}, ${index})`,
    join: "JOIN",
    leftJoin: "LEFT JOIN",
    rowsOf(names, rows) {
      const cellOf = (cell: bigint | string) =>
        typeof cell === "bigint" ? `CAST(${cell} AS bigint)` : quoteText(cell);
      const values = rows.map((row) => `(${row.map(cellOf).join(", ")})`);
      return `SELECT * FROM (VALUES ${values.join(", ")}) AS t (${names.join(", ")})`;
    },
    first({ columns, rows, count, by, order, all = "1 = 0" }) {
      const groups = by.join(", ");
      const ranked = `SELECT *, row_number() OVER (PARTITION BY ${groups} ORDER BY ${order}) AS place FROM (${rows}) AS t`;
      return `SELECT ${columns} FROM (${ranked}) AS t WHERE ${all} OR place <= ${count} ORDER BY ${groups}, place`;
    },
    toFloat: (value) => `TRY_CAST(${value} AS double)`,
    toInteger: (text) => `TRY_CAST(${text} AS bigint)`,
    asInteger: (value) => `CAST(${value} AS bigint)`,
    asFloat: (value) => `CAST(${value} AS double)`,
    asText: (value) => `CAST(${value} AS varchar)`,
    floor: (value) => `CAST(floor(${value}) AS bigint)`,
  }) satisfies Partial<Dialect>;

function withoutNul(name: string): string {
  if (name.includes("\0")) throw new Error("A name cannot have NUL in it.");
  return name;
}

/** Replaces quotes, backslashes and control characters, so that a query is the same over every protocol. */
const escaped = (
  text: string,
  backslash: string,
  quote: string,
  control: (code: number) => string,
) =>
  text.replace(
    // oxlint-disable-next-line no-control-regex -- they are what is escaped
    /[\\'\0-\x1f\x7f]/g,
    (character) =>
      character === "\\"
        ? backslash
        : character === "'"
          ? quote
          : control(character.charCodeAt(0)),
  );

const hexadecimal = (code: number, digits: number) =>
  code.toString(16).padStart(digits, "0");

function duckdbText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  // DuckDB's parser ends a query at NUL.
  return text.includes("\0")
    ? `(${quoted.split("\0").join("' || chr(0) || '")})`
    : quoted;
}

/** DuckDB 1.2 or later. Its regular expressions are RE2's own. */
const duckdb: Dialect = {
  ...standard(duckdbText),
  contains: (text, part) => `contains(${text}, ${part})`,
  endsWith: (text, part) => `ends_with(${text}, ${part})`,
  isAscii: (text) => `(strlen(${text}) = length(${text}))`,
  // DuckDB rewrites some patterns into comparisons that ignore an anchor: `$$`, `a$b`. It
  // leaves a group as it is.
  matches: (text, pattern) =>
    `regexp_matches(${text}, ${duckdbText(`(${pattern})`)})`,
  replaceMatches: (text, pattern, replacement) =>
    `regexp_replace(${text}, ${duckdbText(pattern)}, ${duckdbText(replacement.replaceAll("$", "\\"))}, 'g')`,
  hasRe2: true,
  mostCharacters: 8_000_000,
  jsonMember: (json, path) =>
    // Null for a text that is no JSON, as in the other engines.
    `try(json_extract_string(${json}, ${duckdbText(path.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""))}))`,
  isoMs: (text) => `epoch_ms(TRY_CAST(${text} AS TIMESTAMPTZ))`,
  unixMs: (time) => `epoch_ms(${time})`,
  hashOf: (text) => `hash(${text})`,
};

const clickhouseText = (text: string): string =>
  `'${escaped(text, "\\\\", "\\'", (code) => `\\x${hexadecimal(code, 2)}`)}'`;

/** ClickHouse 23 or later. Its regular expressions are RE2's own. */
const clickhouse: Dialect = {
  quoteText: clickhouseText,
  quoteName: (name) => `"${withoutNul(name).replace(/[\\"]/g, "\\$&")}"`,
  contains: (text, part) => `(position(${text}, ${part}) > 0)`,
  startsWith: (text, part) => `startsWith(${text}, ${part})`,
  endsWith: (text, part) => `endsWith(${text}, ${part})`,
  lengthOf: (text) => `toInt64(lengthUTF8(${text}))`,
  startOf: (text, characters) => `substringUTF8(${text}, 1, ${characters})`,
  isAscii: (text) => `(length(${text}) = lengthUTF8(${text}))`,
  // Without the flag, a dot matches the end of a line, too.
  matches: (text, pattern) =>
    `match(${text}, ${clickhouseText(`(?-s)${pattern}`)})`,
  replaceMatches: (text, pattern, replacement) =>
    `replaceRegexpAll(${text}, ${clickhouseText(pattern)}, ${clickhouseText(replacement.replaceAll("$", "\\"))})`,
  hasRe2: true,
  splitPart: (text, separator, index) =>
    `arrayElement(splitByString(${clickhouseText(separator)}, ifNull(${text}, '')), ${index})`,
  // The small table is made once and sent to each shard.
  join: "GLOBAL ALL INNER JOIN",
  leftJoin: "GLOBAL ALL LEFT JOIN",
  // The table function for values needs a privilege.
  rowsOf(names, rows) {
    const cellOf = (cell: bigint | string) =>
      typeof cell === "bigint" ? `toInt64(${cell})` : clickhouseText(cell);
    const tuples = rows.map((row) => `tuple(${row.map(cellOf).join(", ")})`);
    const columns = names.map(
      (name, i) => `tupleElement(r, ${i + 1}) AS ${name}`,
    );
    return `SELECT ${columns.join(", ")} FROM (SELECT arrayJoin([${tuples.join(", ")}]) AS r)`;
  },
  mostCharacters: 4_000_000,
  first({ columns, rows, count, by, order, all, key }) {
    const groups = [
      ...by,
      ...(all === undefined ? [] : [`CASE WHEN ${all} THEN ${key} END`]),
    ];
    return `SELECT ${columns} FROM (${rows}) AS t ORDER BY ${[...by, order].join(", ")} LIMIT ${count} BY ${groups.join(", ")}`;
  },
  jsonMember: (json, path) =>
    `JSONExtract(${json}, ${path.map(clickhouseText).join(", ")}, 'Nullable(String)')`,
  isoMs: (text) =>
    `toUnixTimestamp64Milli(parseDateTime64BestEffortOrNull(${text}, 3, 'UTC'))`,
  unixMs: (time) => `toUnixTimestamp64Milli(toDateTime64(${time}, 3, 'UTC'))`,
  hashOf: (text) => `cityHash64(${text})`,
  toFloat: (value) => `toFloat64OrNull(toString(${value}))`,
  toInteger: (text) => `toInt64OrNull(${text})`,
  asInteger: (value) => `toInt64(${value})`,
  asFloat: (value) => `toFloat64(${value})`,
  asText: (value) => `CAST(${value} AS Nullable(String))`,
  floor: (value) => `toInt64(floor(${value}))`,
};

function trinoText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is escaped
  if (!/[\0-\x1f\x7f]/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return `U&'${escaped(text, "\\\\", "''", (code) => `\\${hexadecimal(code, 4)}`)}'`;
}

/** Trino 400 or later, with either of its libraries for regular expressions. */
const trino: Dialect = {
  ...standard(trinoText),
  contains: (text, part) => `(strpos(${text}, ${part}) > 0)`,
  endsWith: (text, part) =>
    `(length(${text}) >= length(${part}) AND substr(${text}, length(${text}) - length(${part}) + 1) = ${part})`,
  isAscii: (text) => `(length(to_utf8(${text})) = length(${text}))`,
  matches: (text, pattern) => `regexp_like(${text}, ${trinoText(pattern)})`,
  replaceMatches: (text, pattern, replacement) =>
    `regexp_replace(${text}, ${trinoText(pattern)}, ${trinoText(replacement)})`,
  hasRe2: false,
  mostCharacters: 500_000,
  // The planner looks for equal parts in all expressions that have the same value in the
  // same row. For the large expressions of a vector, that took 12 s of a query. It leaves
  // out expressions with a random number. This one is always 0.
  opaque: (integer) => `(${integer}) + CAST(floor(random()) AS bigint)`,
  jsonMember: (json, path) =>
    `json_extract_scalar(${json}, ${trinoText(`$${path.map((name) => `[${JSON.stringify(name)}]`).join("")}`)})`,
  isoMs: (text) =>
    `date_diff('millisecond', TIMESTAMP '1970-01-01 00:00:00 UTC', TRY(from_iso8601_timestamp(${text})))`,
  unixMs: (time) => `CAST(round(to_unixtime(${time}) * 1000) AS bigint)`,
  hashOf: (text) => `from_big_endian_64(xxhash64(to_utf8(${text})))`,
};

/** Every dialect, by its name. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  duckdb,
  clickhouse,
  trino,
};

/** A text as a literal of a dialect. */
export function quotedText(dialect: DialectName, text: string): string {
  return DIALECTS[dialect].quoteText(text);
}

/** The name of a column or a table as an identifier of a dialect. */
export function quotedName(dialect: DialectName, name: string): string {
  return DIALECTS[dialect].quoteName(name);
}
