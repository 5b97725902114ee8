import type { Context } from "../../context";
import type { Operation } from "../../http/operation";
import type { Condition } from "../../store/event-conditions";
import { serveServerOperation } from "../serve-server-operation";
import { searchVisible } from "../search-visible";
import { visibleEvent } from "../visible-events";
import { legacyEvent } from "./legacy-event";
import { KEY_PARAMETERS } from "./legacy-query";

/**
 * The most events on a page, however many a call asks for (docs/assumptions.md,
 * A62).
 */
export const MAX_PAGE = 500;

/** `GET /events/search`: the search of version 4 in the form of version 3. */
export function legacySearchOperation(context: Context): Operation {
  return serveServerOperation(
    "searchLegacyEvents",
    async (call) => {
      const {
        limit,
        ip_blocklist,
        datacenter,
        proximity_precision_radius,
        ...search
      } = call.query;
      const old = { ip_blocklist, datacenter, proximity_precision_radius };
      const { visibility, bodies, paginationKey } = await searchVisible(
        context,
        call,
        { kind: "legacy search", limit: Math.min(limit, MAX_PAGE), ...search },
        { values: old, conditions: (hidden) => oldConditions(old, hidden) },
      );
      return {
        events: bodies.map((body) =>
          legacyEvent(visibleEvent(body, visibility), visibility.hidden),
        ),
        paginationKey,
      };
    },
    { below: "/events", ignored: KEY_PARAMETERS, errors: [504] },
  );
}

/**
 * Filters that version 4 has dropped (docs/contract.md, "Legacy operations").
 */
interface OldFilters {
  readonly ip_blocklist?: boolean | undefined;
  readonly datacenter?: boolean | undefined;
  readonly proximity_precision_radius?: number | undefined;
}

/**
 * The conditions of these filters. A hidden member counts as absent. These
 * members have no columns, so the conditions read the stored events.
 */
function oldConditions(
  filters: OldFilters,
  hidden: ReadonlySet<string>,
): Condition[] {
  const { ip_blocklist, datacenter, proximity_precision_radius } = filters;
  const rows = [
    { ...BLOCKLIST, value: ip_blocklist },
    { ...DATACENTER, value: datacenter },
    { ...RADIUS, value: proximity_precision_radius },
  ];
  return rows.flatMap(({ member, sql, value }) =>
    value === undefined
      ? []
      : hidden.has(member)
        ? [{ sql: "FALSE", values: [] }]
        : [{ sql, values: [Number(value)] }],
  );
}

const BLOCKLIST = {
  member: "ip_blocklist",
  sql: either("ip_blocklist.email_spam", "ip_blocklist.attack_source"),
};

const DATACENTER = {
  member: "ip_info",
  sql: either("ip_info.v4.datacenter_result", "ip_info.v6.datacenter_result"),
};

const RADIUS = {
  member: "proximity",
  sql: either("proximity.precision_radius", "proximity.precision_radius"),
};

/** Compares the greater of two fields. An absent field is ignored. */
function either(one: string, other: string): string {
  return `(
    SELECT max(coalesce(one, other), coalesce(other, one)) = ? FROM (
      SELECT json_extract(body, '$.${one}') AS one, json_extract(body, '$.${other}') AS other
        FROM event_bodies WHERE event_bodies.seq = events.seq))`;
}
