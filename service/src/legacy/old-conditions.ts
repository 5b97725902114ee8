import type { Condition } from "../store/event-conditions";

/** The filters that version 4 has no more (docs/contract.md, "Legacy operations"). */
export interface OldFilters {
  readonly ip_blocklist?: boolean | undefined;
  readonly datacenter?: boolean | undefined;
  readonly proximity_precision_radius?: number | undefined;
}

/** What they ask of an event; `hidden` members are as good as absent. They have no columns, so the events themselves are read. */
export function oldConditions(
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

/** Compares the greater of two fields; one that is absent counts as the other. */
function either(one: string, other: string): string {
  return `(
    SELECT max(coalesce(one, other), coalesce(other, one)) = ? FROM (
      SELECT json_extract(body, '$.${one}') AS one, json_extract(body, '$.${other}') AS other
        FROM event_bodies WHERE event_bodies.seq = events.seq))`;
}
