import {
  type DialectName,
  EVENT_COLUMN_NAMES,
  type EventColumns,
  WHOLE_EVENT,
} from "./sql";
import type { Engine } from "./engines/engine";
import { EventPlaces, UNKNOWN_TYPE } from "./event-places";
import { DEFAULT_MAPPING, type EventMapping } from "./mapping";

/**
 * The columns that rules read, without a query. The table is assumed to have the
 * columns of docs/warehouse.md and of the mapping.
 */
export async function documentedRuleColumns(
  dialect: DialectName,
  mapping: EventMapping = DEFAULT_MAPPING,
): Promise<EventColumns> {
  const mapped = Object.values(mapping.columns).map((place) =>
    typeof place === "string" ? place.split(".", 1) : [place.json],
  );
  const names = new Set([...EVENT_COLUMN_NAMES, WHOLE_EVENT, ...mapped.flat()]);
  const table: Engine = {
    dialect,
    title: "The table",
    table: "",
    describe: () =>
      Promise.resolve([...names].map((name) => ({ name, type: UNKNOWN_TYPE }))),
    async *query() {
      // A column of the mapping counts as existing.
    },
    close: () => Promise.resolve(),
  };
  return (await EventPlaces.of(table, mapping)).ruleColumns;
}
