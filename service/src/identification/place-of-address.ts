import { BlockList, isIP } from "node:net";
import type { Event } from "@devid/sdk";

type Place = NonNullable<
  NonNullable<NonNullable<Event["ip_info"]>["v4"]>["geolocation"]
>;

/**
 * A place for each range of addresses that RFC 5737 and RFC 3849 keep free for
 * examples (docs/assumptions.md, A168). No other address has one: the service has no
 * database of places, and asks nobody.
 */
const PLACES: readonly (readonly [range: string, bits: number, Place])[] = [
  [
    "192.0.2.0",
    24,
    place("Chicago", "US", "United States", "NA", "North America", {
      latitude: 41.88,
      longitude: -87.63,
      timezone: "America/Chicago",
    }),
  ],
  [
    "198.51.100.0",
    24,
    place("Frankfurt am Main", "DE", "Germany", "EU", "Europe", {
      latitude: 50.11,
      longitude: 8.68,
      timezone: "Europe/Berlin",
    }),
  ],
  [
    "203.0.113.0",
    24,
    place("Singapore", "SG", "Singapore", "AS", "Asia", {
      latitude: 1.35,
      longitude: 103.82,
      timezone: "Asia/Singapore",
    }),
  ],
  [
    "2001:db8::",
    32,
    place("London", "GB", "United Kingdom", "EU", "Europe", {
      latitude: 51.51,
      longitude: -0.13,
      timezone: "Europe/London",
    }),
  ],
];

const RANGES = PLACES.map(([range, bits, where]) => {
  const list = new BlockList();
  list.addSubnet(range, bits, familyOf(range));
  return { list, where };
});

/** Where an address is; undefined for one that is not meant for examples. */
export function placeOfAddress(ip: string): Place | undefined {
  if (isIP(ip) === 0) return undefined;
  const family = familyOf(ip);
  return RANGES.find(({ list }) => list.check(ip, family))?.where;
}

function familyOf(ip: string): "ipv4" | "ipv6" {
  return isIP(ip) === 6 ? "ipv6" : "ipv4";
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
