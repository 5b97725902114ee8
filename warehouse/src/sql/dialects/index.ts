import { clickhouse } from "./clickhouse";
import type { Dialect, DialectName } from "./dialect";
import { duckdb } from "./duckdb";
import { trino } from "./trino";

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
