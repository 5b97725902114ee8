import fc from "fast-check";
import {
  BOT_CATEGORIES,
  BOT_IDENTITIES,
  BOT_RESULTS,
  EVENT_FILTERS,
  LEVELS,
  RARE_DEVICE_BUCKETS,
  type SearchParameter,
} from "@devid/sdk/wire/events";
import type { EventPart } from "./event-calls.js";
import type { FilterValues } from "./event-filter.js";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The random events are near this time. */
export const NOW_MS = Date.UTC(2026, 5, 1, 12);

/**
 * A few values, so that filters and events often match. Some have special characters of
 * SQL, JSON and URLs.
 */
const text = fc.constantFrom(
  "a",
  "A",
  "a,b",
  "b'--",
  'say "x"',
  "100%_\\",
  "ß 💶",
  "null",
  "1",
);
const ips = [
  "192.0.2.1",
  "192.0.2.200",
  "192.0.3.1",
  "10.0.0.1",
  "2001:db8::1",
  "2001:db8:1::1",
  "::1",
];
const times = [...Array(20).keys()].map((n) => NOW_MS - n * 13 * HOUR_MS);
const environments = ["ae_1", "ae_2", "ae_3"];
const level = fc.constantFrom(...LEVELS);
const flag = fc.boolean();

const identified = fc.record({ visitor_id: text, visitor_found: flag });

/** Events with every field that a filter reads. Each field may be missing. */
export const event: fc.Arbitrary<EventPart> = fc
  .record(
    {
      timestamp: fc.constantFrom(...times),
      source: fc.constantFrom("device", "device", "device", "edge"),
      identification: identified,
      supplementary_id_high_recall: identified,
      linked_id: text,
      environment_id: fc.constantFrom(...environments),
      ip_address: fc.constantFrom(...ips, "no address"),
      ip_info: fc.record(
        {
          v4: fc.record({ address: fc.constant("192.0.2.1"), asn: text }),
          v6: fc.record({ address: fc.constant("::1"), asn: text }),
        },
        { requiredKeys: [] },
      ),
      url: text,
      origin: text,
      bundle_id: text,
      package_name: text,
      suspect: flag,
      bot: fc.constantFrom(...BOT_RESULTS),
      bot_info: fc.record({
        category: fc.constantFrom(...BOT_CATEGORIES),
        provider: text,
        name: text,
        identity: fc.constantFrom(...BOT_IDENTITIES),
        confidence: level,
      }),
      vpn: flag,
      vpn_confidence: level,
      virtual_machine: flag,
      tampering: flag,
      tampering_details: fc.record({ anti_detect_browser: flag }),
      incognito: flag,
      privacy_settings: flag,
      jailbroken: flag,
      frida: flag,
      factory_reset_timestamp: fc.constantFrom(0, NOW_MS),
      cloned_app: flag,
      emulator: flag,
      root_apps: flag,
      suspect_score: fc.integer({ min: 0, max: 30 }),
      developer_tools: flag,
      location_spoofing: flag,
      mitm_attack: flag,
      rare_device: flag,
      rare_device_percentile_bucket: fc.constantFrom(...RARE_DEVICE_BUCKETS),
      proxy: flag,
      sdk: fc.record({
        platform: fc.constantFrom("js", "android", "ios", "unknown"),
        version: text,
      }),
      proximity: fc.record({
        id: text,
        precision_radius: fc.constantFrom(10, 25),
        confidence: fc.constant(0.5),
      }),
      ip_blocklist: fc.record({ tor_node: flag }),
      incremental_identification_status: fc.constantFrom(
        "partially_completed",
        "completed",
      ),
      simulator: flag,
      active_call: flag,
    },
    { requiredKeys: ["timestamp"] },
  )
  .map((made) => ({ ...made }));

/** Up to three filters with valid values. */
export const filters: fc.Arbitrary<FilterValues> = fc
  .uniqueArray(fc.constantFrom(...Object.entries(EVENT_FILTERS)), {
    maxLength: 3,
    selector: ([name]) => name,
  })
  .chain((chosen) =>
    fc.record(
      Object.fromEntries(
        chosen.map(([name, parameter]) => [name, valuesOf(name, parameter)]),
      ),
    ),
  );

/** Valid values of a filter. */
export function valuesOf(
  name: string,
  parameter: SearchParameter,
): fc.Arbitrary<string[]> {
  const one = (value: fc.Arbitrary<string>) => value.map((only) => [only]);
  switch (parameter.kind) {
    case "boolean":
      return one(fc.constantFrom("true", "false"));
    case "ip":
      return one(
        fc.oneof(
          fc.constantFrom(...ips),
          fc.constantFrom(
            "192.0.2.0/24",
            "192.0.2.129/25",
            "0.0.0.0/0",
            "2001:db8::/32",
            "2001:db8::/47",
            "::/0",
          ),
        ),
      );
    case "time":
      return one(
        fc
          .tuple(fc.constantFrom(...times), fc.constantFrom(-1, 0, 1))
          .map(([time, off]) => String(time + off)),
      );
    case "number":
    case "integer":
      return one(
        fc.oneof(
          fc.integer({ min: -1, max: 30 }).map(String),
          fc.constant("7.5"),
        ),
      );
    case "enum":
      return one(fc.constantFrom(...parameter.values));
    case "repeated":
      return fc.uniqueArray(
        parameter.values
          ? fc.constantFrom(...parameter.values)
          : name === "environment"
            ? fc.constantFrom(...environments)
            : text,
        { minLength: 1, maxLength: parameter.maxItems ?? 3 },
      );
    case "text":
      return one(text);
  }
}

/** A window that contains some of the events. Filters may replace it. */
export const DEFAULT_RANGE = {
  start: [String(NOW_MS - 7 * DAY_MS)],
  end: [String(NOW_MS)],
};
