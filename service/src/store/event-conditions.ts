import { EVENT_FILTERS, type SearchParameter } from "@devid/sdk/wire/events";
import { type SqlValue, stored } from "./sql-value";
import { columnOf } from "./event-columns";
import type { IpRange } from "./ip-range";

type TextOf<P> = P extends { values: readonly (infer V)[] } ? V : string;

/** The checked value of a query parameter. A time is Unix milliseconds. */
export type ParameterValue<P extends SearchParameter> = P extends {
  kind: "boolean";
}
  ? boolean
  : P extends { kind: "number" | "integer" | "time" }
    ? number
    : P extends { kind: "ip" }
      ? IpRange
      : P extends { kind: "repeated" }
        ? readonly TextOf<P>[]
        : TextOf<P>;

type Filters = Omit<typeof EVENT_FILTERS, "start" | "end">;

/**
 * The filters of a search, except its range of times (docs/contract.md, "GET
 * /events").
 */
export type EventFilters = {
  readonly [Name in keyof Filters]?: ParameterValue<Filters[Name]>;
};

type FilterValue = NonNullable<EventFilters[keyof EventFilters]>;

/**
 * A condition on the columns of `events`. Its SQL consists of constants; values
 * are bound.
 */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** The index that can answer the condition. */
  readonly index?: string;
}

const INDEXES: Readonly<Record<string, string>> = {
  visitor_id: "events_by_visitor",
  linked_id: "events_by_linked_id",
  ip_address: "events_by_ip_address",
};

/**
 * The conditions of a search; an event has to meet all of them. `hidden`
 * members count as absent. Without the filter `source`, only the events of
 * devices match.
 */
export function eventConditions(
  filters: EventFilters,
  hidden: ReadonlySet<string>,
): Condition[] {
  const column = (field: string) =>
    hidden.has(field.split(".", 1)[0] ?? "") ? "NULL" : columnOf(field);
  const conditions = Object.entries<FilterValue | undefined>(filters).flatMap(
    ([name, value]) =>
      value === undefined
        ? []
        : [
            {
              ...conditionOf(name as keyof Filters, value, column),
              index: INDEXES[name],
            },
          ],
  );
  return filters.source === undefined
    ? [...conditions, { sql: "source = 'device'", values: [] }]
    : conditions;
}

function conditionOf(
  name: keyof Filters,
  value: FilterValue,
  column: (field: string) => string,
): Condition {
  const bot = column("bot");
  switch (name) {
    case "bot":
      if (value === "all") return plain(`${bot} <> 'not_detected'`);
      return plain(`${bot} = ?`, value === "none" ? "not_detected" : value);
    case "bot_info": {
      // Every bot_info has a category.
      const info = column("bot_info.category");
      return plain(
        value === "all"
          ? `${info} IS NOT NULL`
          : `${info} IS NULL AND ${bot} = 'not_detected'`,
      );
    }
    case "ip_address": {
      const { first, last } = value as IpRange;
      return plain("ip_address BETWEEN ? AND ?", first, last);
    }
    case "factory_reset":
      return plain(`(${column("factory_reset_timestamp")} > 0) = ?`, value);
    case "min_suspect_score":
      return plain(`${column("suspect_score")} > ?`, value);
    default: {
      const columns = (EVENT_FILTERS[name].fields ?? []).map(column);
      if (typeof value === "object") {
        const list = "IN (SELECT value FROM json_each(?))";
        const texts = JSON.stringify(value);
        return plain(`${columns.join()} ${list}`, texts);
      }
      const sql = columns.map((one) => `${one} = ?`).join(" OR ");
      return plain(`(${sql})`, ...columns.map(() => value));
    }
  }
}

function plain(sql: string, ...values: (SqlValue | FilterValue)[]): Condition {
  return { sql, values: values.map(stored) };
}
