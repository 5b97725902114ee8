import type { Event } from "@devid/sdk";
import { EVENT_FILTERS, type SearchParameter } from "@devid/sdk/wire";
import type { SqlValue } from "../database/database";
import { ipKey } from "./ip-range";

/** Fields that filters compare in another way than plainly. */
const OTHER_FIELDS = [
  "bot",
  "factory_reset_timestamp",
  "suspect_score",
] as const;

/** Dotted paths of the event's fields that have a column of their own. */
const FIELDS = [
  ...new Set([
    ...Object.values<SearchParameter>(EVENT_FILTERS).flatMap(
      ({ fields = [] }) => fields,
    ),
    ...OTHER_FIELDS,
  ]),
].map((path) => ({ column: columnOf(path), path: path.split(".") }));

/** Every column that is filled from an event, in the order of `eventValues`. */
export const EVENT_COLUMNS: readonly string[] = [
  ...FIELDS.map(({ column }) => column),
  "ip_address",
];

/** The column of a field: `ip_info_v4_asn` of `ip_info.v4.asn`. */
export function columnOf(field: string): string {
  return field.replaceAll(".", "_");
}

/** What an event has in its columns. An `ip_address` that is none is not found by address. */
export function eventValues(event: Event): SqlValue[] {
  const values = FIELDS.map(({ path }) => sqlValue(valueAt(event, path)));
  const { ip_address: ip } = event;
  values.push(ipKey(ip ?? "") ?? null);
  return values;
}

function valueAt(event: Event, path: readonly string[]): unknown {
  let value: unknown = event;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function sqlValue(value: unknown): SqlValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "string" || typeof value === "number" ? value : null;
}
