import { pathSql } from "./engines/duckdb";
import {
  EVENT_COLUMN_NAMES,
  EVENT_COLUMNS,
  type ColumnKind,
  type EventColumn,
  quotedName,
  quotedText,
  WHOLE_EVENT,
} from "./sql";

/**
 * The DuckDB statement that writes a file of NDJSON as Parquet. The time stays the text that
 * it is, and the column `devid_problem` names what is wrong with a line (`RowProblem`).
 */
export function copyEvents(path: string, target: string): string {
  const from = `read_ndjson_objects(${pathSql(path)}, ignore_errors = true)`;
  return `COPY (${eventsOfJson(from, "json")}) TO ${quotedText("duckdb", target)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 8192)`;
}

const PROBLEM = `CASE WHEN whole IS NULL THEN 'no JSON' WHEN json_type(whole) = 'ARRAY' THEN 'array' WHEN json_type(whole) <> 'OBJECT' THEN 'no object' WHEN e.timestamp IS NULL AND json_type(whole, '$.event') = 'OBJECT' THEN 'wrapped' END`;

/**
 * The DuckDB query that makes the columns of a table of events from JSON; each event is
 * read once.
 */
function eventsOfJson(from: string, json: string): string {
  const name = (text: string) => quotedName("duckdb", text);
  const member = (path: readonly string[]) =>
    ["e", ...path].map(name).join(".");
  const columns = EVENT_COLUMN_NAMES.map((column) => {
    const { paths, beside }: EventColumn = EVENT_COLUMNS[column];
    const [first = "", second] = paths.map(member);
    const decisive =
      beside === undefined
        ? first
        : member(EVENT_COLUMNS[beside as typeof column].paths[0]);
    const value =
      second === undefined
        ? first
        : `CASE WHEN ${decisive} IS NOT NULL THEN ${first} ELSE ${second} END`;
    return `${value} AS ${name(column)}`;
  });
  const structure = quotedText("duckdb", JSON.stringify(structureOfEvents()));
  return `SELECT ${columns.join(", ")}, ${PROBLEM} AS devid_problem, whole AS ${name(WHOLE_EVENT)} FROM (SELECT CAST(${name(json)} AS varchar) AS whole, from_json(${name(json)}, ${structure}) AS e FROM ${from})`;
}

interface Structure {
  [name: string]: string | Structure;
}

const TYPES: Readonly<Record<ColumnKind, string>> = {
  text: "VARCHAR",
  number: "DOUBLE",
  time: "VARCHAR",
};

/** The structure of the members that have a column, in DuckDB's notation for JSON. */
function structureOfEvents(): Structure {
  const root: Structure = {};
  for (const column of EVENT_COLUMN_NAMES) {
    const { kind, paths }: EventColumn = EVENT_COLUMNS[column];
    for (const path of paths) {
      let at = root;
      for (const part of path.slice(0, -1)) {
        const next = (at[part] ??= {});
        if (typeof next === "object") at = next;
      }
      at[path.at(-1) ?? ""] = TYPES[kind];
    }
  }
  return root;
}
