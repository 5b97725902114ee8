import type { Event } from "@devid/sdk";
import { visibleText } from "@devid/rules";
import { cutColumns, padColumns } from "@devid/rules/internals";
import { rowsText } from "./rows-text";

const WIDTH = 80;

/** The fields that people look at first. */
const FIELDS: readonly (readonly [
  string,
  (event: Event) => string | number | boolean | null | undefined,
])[] = [
  ["Event", ({ event_id: id }) => id],
  ["Time", ({ timestamp }) => timeText(timestamp)],
  ["Environment", ({ environment_id: id }) => id],
  ["Visitor", (event) => event.identification?.visitor_id],
  ["Linked ID", (event) => event.linked_id],
  ["Tags", ({ tags }) => tags && JSON.stringify(tags)],
  ["IP address", placeText],
  ["URL", (event) => event.url],
  ["App", (event) => event.package_name ?? event.bundle_id],
  ["Agent", ({ sdk }) => sdk && `${sdk.platform ?? ""} ${sdk.version ?? ""}`],
  ["User agent", (event) => event.user_agent],
  ["Bot", botText],
  ["Suspect score", (event) => event.suspect_score],
  ["Suspect", (event) => event.suspect],
  ["Signals", (event) => signalsOf(event).join(", ") || undefined],
  ["Ruleset", ({ rule_action: action }) => action?.type],
];

/**
 * A hint for a search that found no event. The service also returns nothing if the key
 * may not see the events (docs/contract.md, "Events authentication"). `isRecent`: the
 * search had no start, so the service's default of 7 days applied.
 */
export function noEventsHint({
  isRecent = false,
}: { readonly isRecent?: boolean } = {}): string {
  const lines = [
    "No events? A secret key that is limited to an environment sees only the events of",
    "that environment.",
    ...(isRecent
      ? ["Without --since, only the last 7 days are searched."]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * Formats an event for people in 80 columns: the most important fields, and the
 * number of the others.
 */
export function eventText(event: Event): string {
  const rows = FIELDS.flatMap(([name, value]) => {
    const shown = value(event);
    if (shown === undefined || shown === null) return [];
    return [
      [name, cutColumns(visibleText(String(shown)), WIDTH - 15)] as const,
    ];
  });
  const count = Object.keys(event).length;
  return `${rowsText(rows, 14)}(${count} fields; --json prints them all)\n`;
}

/** Formats events as a table of 80 columns, one line for each event. */
export function eventTable(events: readonly Event[]): string {
  const row = (...cells: string[]) =>
    [19, 20, 20, 15]
      .map((width, i) =>
        padColumns(cutColumns(visibleText(cells[i] ?? ""), width), width),
      )
      .join("  ")
      .trimEnd();
  return [
    row("TIME (UTC)", "EVENT", "VISITOR", "IP ADDRESS"),
    ...events.map((event) =>
      row(
        timeText(event.timestamp).slice(0, 19),
        event.event_id,
        event.identification?.visitor_id ?? "",
        event.ip_address ?? "",
      ),
    ),
    "",
  ].join("\n");
}

function timeText(timestamp: number): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime())
    ? String(timestamp)
    : date.toISOString().replace("T", " ").replace("Z", " UTC");
}

function placeText({ ip_address: ip, ip_info: info }: Event) {
  const { geolocation, asn_name: network } = info?.v4 ?? info?.v6 ?? {};
  const place = [geolocation?.country_code, network].filter(Boolean).join(", ");
  return ip && (place ? `${ip} (${place})` : ip);
}

function botText({ bot, bot_info: info }: Event) {
  return (
    bot &&
    (info ? `${bot} (${info.name ?? "?"}, ${info.category ?? "?"})` : bot)
  );
}

function signalsOf(event: Event): string[] {
  return Object.entries(event)
    .filter(([name, value]) => value === true && name !== "suspect")
    .map(([name]) => name);
}
