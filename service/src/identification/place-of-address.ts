import { isIP } from "node:net";
import type { Event } from "@devid/sdk";

type Place = NonNullable<
  NonNullable<NonNullable<Event["ip_info"]>["v4"]>["geolocation"]
>;

/**
 * A place for each range of addresses that RFC 5737 and RFC 3849 keep free for examples,
 * by the text that its addresses start with (docs/assumptions.md, A168). Other addresses
 * have no place, because the service has no database of places.
 */
const PLACES: readonly (readonly [start: string, Place])[] = [
  [
    "192.0.2.",
    place("Chicago", "US", "United States", "NA", "North America", {
      latitude: 41.88,
      longitude: -87.63,
      timezone: "America/Chicago",
    }),
  ],
  [
    "198.51.100.",
    place("Frankfurt am Main", "DE", "Germany", "EU", "Europe", {
      latitude: 50.11,
      longitude: 8.68,
      timezone: "Europe/Berlin",
    }),
  ],
  [
    "203.0.113.",
    place("Singapore", "SG", "Singapore", "AS", "Asia", {
      latitude: 1.35,
      longitude: 103.82,
      timezone: "Asia/Singapore",
    }),
  ],
  [
    "2001:db8:",
    place("London", "GB", "United Kingdom", "EU", "Europe", {
      latitude: 51.51,
      longitude: -0.13,
      timezone: "Europe/London",
    }),
  ],
];

/** Where an address is; undefined for one that is not meant for examples. */
export function placeOfAddress(ip: string): Place | undefined {
  if (isIP(ip) === 0) return undefined;
  const spelled = isIP(ip) === 6 ? inUsualSpelling(ip) : ip;
  return PLACES.find(([start]) => spelled.startsWith(start))?.[1];
}

/** `2001:0DB8::1` as `2001:db8::1`. */
function inUsualSpelling(ip: string): string {
  return new URL(`http://[${ip}]`).hostname.slice(1, -1);
}

function place(
  city_name: string,
  country_code: string,
  country_name: string,
  continent_code: string,
  continent_name: string,
  where: Pick<Place, "latitude" | "longitude" | "timezone">,
): Place {
  return {
    accuracy_radius: 20,
    ...where,
    city_name,
    country_code,
    country_name,
    continent_code,
    continent_name,
  };
}
