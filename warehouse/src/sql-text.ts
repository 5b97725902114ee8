import { quotedText, type DialectName } from "./sql";

/**
 * The member of a JSON text at a path, as text. Null if the member is absent or null.
 */
export function jsonMember(
  dialect: DialectName,
  json: string,
  path: readonly string[],
): string {
  switch (dialect) {
    case "clickhouse": {
      const names = path.map((name) => quotedText(dialect, name)).join(", ");
      return `JSONExtract(${json}, ${names}, 'Nullable(String)')`;
    }
    case "duckdb":
      return `json_extract_string(${json}, ${quotedText(dialect, jsonPointer(path))})`;
    case "trino":
      return `json_extract_scalar(${json}, ${quotedText(dialect, jsonPath(path))})`;
  }
}

const jsonPointer = (path: readonly string[]) =>
  path
    .map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");

const jsonPath = (path: readonly string[]) =>
  `$${path.map((name) => `[${JSON.stringify(name)}]`).join("")}`;

/**
 * A column as Unix milliseconds, converted by the name of its type. A number is used
 * unchanged.
 */
export function unixMs(
  dialect: DialectName,
  column: string,
  type: string,
): string {
  if (!/date|time/i.test(type)) return column;
  switch (dialect) {
    case "clickhouse":
      return `toUnixTimestamp64Milli(toDateTime64(${column}, 3, 'UTC'))`;
    case "duckdb":
      return `epoch_ms(${column})`;
    case "trino":
      return `CAST(round(to_unixtime(${column}) * 1000) AS bigint)`;
  }
}

/** A value as a floating-point number; null if it is not a number. */
export function asNumber(dialect: DialectName, value: string): string {
  switch (dialect) {
    case "clickhouse":
      return `toFloat64OrNull(toString(${value}))`;
    case "duckdb":
    case "trino":
      return `TRY_CAST(${value} AS double)`;
  }
}

/** A text as a whole number, null where it is none. */
export function asWhole(dialect: DialectName, text: string): string {
  return dialect === "clickhouse"
    ? `toInt64OrNull(${text})`
    : `TRY_CAST(${text} AS bigint)`;
}
