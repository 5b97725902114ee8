import {
  ISO_TIME,
  LEAST_MS,
  LEAST_SECONDS,
  MOST_MS,
  type RowProblem,
} from "@devid/review/internals";
import { DIALECTS, type DialectName } from "./sql";

/** What the time of a row can be. `ms`: Unix milliseconds, or the engine's own type of a time. */
export type TimeKind = "ms" | "seconds" | "iso" | RowProblem;

/** The form in which all times of a column are. Rows with a time in another form cannot be read. */
export type TimeForm = Extract<TimeKind, "ms" | "seconds" | "iso">;

/** The times of a table's rows, as SQL. */
export interface EventTimes {
  /** A text for each row, one of `TimeKind`. */
  readonly kind: string;
  /** Unix milliseconds, an integer; not of use for a row whose kind is another. */
  readonly in: Readonly<Record<TimeForm, string>>;
}

/**
 * How a column has times.
 * @param type the engine's name of its type, or `json member`
 * @param problem the column that says what else is wrong with a row
 */
export function eventTimes(
  name: DialectName,
  { sql, type }: { readonly sql: string; readonly type: string },
  problem?: string,
): EventTimes {
  const dialect = DIALECTS[name];
  const { asFloat, asInteger, floor, toFloat, toInteger } = dialect;
  const kindOf = (kind: string) =>
    problem === undefined ? kind : `coalesce(${problem}, ${kind})`;
  if (/date|time/i.test(type)) {
    const ms = dialect.unixMs(sql);
    return {
      kind: kindOf(`CASE WHEN ${sql} IS NULL THEN 'no time' ELSE 'ms' END`),
      in: { ms, seconds: ms, iso: ms },
    };
  }
  const isText = type === "json member" || /char|text|string|json/i.test(type);
  const number = isText ? toFloat(sql) : sql;
  // An engine may read more texts as a whole number than as a number: `0x18BCFE56800`.
  const ms = isText ? toInteger(sql) : sql;
  const ofNumber = `WHEN ${ms} >= ${LEAST_MS} AND ${ms} < ${MOST_MS} THEN 'ms' WHEN ${number} >= ${LEAST_SECONDS} AND ${number} < ${LEAST_MS} THEN 'seconds'`;
  const seconds = floor(`${asFloat(number)} * 1000 + 0.5`);
  if (!isText)
    return {
      kind: kindOf(
        `CASE WHEN ${sql} IS NULL THEN 'no time' ${ofNumber} ELSE 'number' END`,
      ),
      in: { ms, seconds, iso: asInteger("NULL") },
    };
  const isIso = dialect.matches(sql, ISO_TIME);
  const iso = dialect.isoMs(sql);
  return {
    kind: kindOf(
      `CASE WHEN ${sql} IS NULL OR ${sql} = '' THEN 'no time' ${ofNumber} WHEN ${number} IS NOT NULL THEN 'number' WHEN ${isIso} AND ${iso} IS NOT NULL THEN 'iso' ELSE 'text' END`,
    ),
    in: {
      ms,
      seconds,
      iso: `CASE WHEN ${isIso} THEN ${iso} END`,
    },
  };
}

/** The form of all times of a table. Unix milliseconds, if the times have different forms. */
export function formOf(kinds: ReadonlyMap<TimeKind, unknown>): TimeForm {
  const forms = (["ms", "seconds", "iso", "text", "number"] as const).filter(
    (kind) => kinds.has(kind),
  );
  const [only = "ms", ...others] = forms;
  return others.length > 0 || only === "text" || only === "number"
    ? "ms"
    : only;
}
