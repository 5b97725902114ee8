/** The engines whose SQL is written. */
export type DialectName = "duckdb" | "clickhouse" | "trino";

/** The first rows of each group, for `Dialect.first`. */
export interface FirstRows {
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

/** `Dialect.first` with a window function. */
export function firstByWindow({
  columns,
  rows,
  count,
  by,
  order,
  all = "1 = 0",
}: FirstRows): string {
  const groups = by.join(", ");
  const ranked = `SELECT *, row_number() OVER (PARTITION BY ${groups} ORDER BY ${order}) AS place FROM (${rows}) AS t`;
  return `SELECT ${columns} FROM (${ranked}) AS t WHERE ${all} OR place <= ${count} ORDER BY ${groups}, place`;
}

/**
 * How one engine spells what rules need. Every function takes and returns SQL, unless
 * its parameter is named otherwise. The functions are total: no value of a row makes a
 * query fail.
 */
export interface Dialect {
  readonly name: DialectName;

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
  /** A text of ASCII in lower or in upper case. */
  readonly asciiCase: (text: string, to: "lower" | "upper") => string;
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

  /**
   * The keywords that join rows with a small second table: an inner join, and a left
   * join.
   */
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
  /** An integer that equal texts share, and hardly any others. */
  readonly hashOf: (text: string) => string;
  /** A point in time as Unix milliseconds. */
  readonly unixMs: (time: string) => string;
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
