import type { Event } from "@devid/sdk";
import { EVENT_FILTERS, type SearchParameter } from "@devid/sdk/wire/events";
import type { SqlValue } from "./sql-value";
import { ipKey } from "./ip-range";

/** Fields whose filters do more than compare for equality. */
const OTHER_FIELDS = [
  "bot",
  "factory_reset_timestamp",
  "suspect_score",
] as const;

/** The fields of an event that have a column of their own. */
const FIELDS = [
  ...new Set([
    ...Object.values<SearchParameter>(EVENT_FILTERS).flatMap(
      ({ fields = [] }) => fields,
    ),
    ...OTHER_FIELDS,
  ]),
].map((path) => ({ column: columnOf(path), path: path.split(".") }));

/** The columns that are filled from an event, in the order of `eventValues`. */
export const EVENT_COLUMNS: readonly string[] = [
  ...FIELDS.map(({ column }) => column),
  "ip_address",
];

/** The column of a field: `ip_info_v4_asn` for `ip_info.v4.asn`. */
export function columnOf(field: string): string {
  return field.replaceAll(".", "_");
}

/**
 * The values of an event for its columns. An `ip_address` that is no address is
 * stored as null, so no search by address finds it.
 */
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
