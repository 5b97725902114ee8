import type { Event } from "@devid/sdk";

type Cell = string | number | null | undefined;

const networkOf = ({ ip_info }: Event) => ip_info?.v4 ?? ip_info?.v6;

const CELLS: Readonly<Record<string, (event: Event) => Cell>> = {
  event_id: ({ event_id }) => event_id,
  timestamp: ({ timestamp }) => timestamp,
  origin: ({ origin }) => origin,
  user_agent: ({ user_agent }) => user_agent,
  ip_address: ({ ip_address }) => ip_address,
  url: ({ url }) => url,
  linked_id: ({ linked_id }) => linked_id,
  bot: ({ bot }) => bot,
  suspect_score: ({ suspect_score }) => suspect_score,
  country: (event) => networkOf(event)?.geolocation?.country_code,
  asn: (event) => networkOf(event)?.asn,
  asn_name: (event) => networkOf(event)?.asn_name,
};

/** The columns of a table of random events, with what each holds. */
export const STORED_COLUMNS = Object.keys(CELLS).map((name) => ({
  name,
  kind:
    ({ timestamp: "time", suspect_score: "number" } as const)[name] ??
    ("text" as const),
}));

/** The cells of an event, in the order of `STORED_COLUMNS`. */
export const storedCells = (event: Event): (string | number | null)[] =>
  Object.values(CELLS).map((of) => of(event) ?? null);

/** Events as they are read one by one. */
export async function* eachEvent(events: readonly Event[]) {
  for (const one of events) yield await Promise.resolve(one);
}
