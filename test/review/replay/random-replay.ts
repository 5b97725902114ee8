import type { Event } from "@devid/sdk";
import type { Rule } from "@devid/rules";
import fc from "fast-check";

/** Random events are within this range or near it. */
export const START = Date.UTC(2026, 5, 1);
export const END = START + 3_600_000;

const maybe = <T>(values: readonly T[]) =>
  fc.constantFrom(undefined, ...values);

/** Events with few different values. Any value may be missing. */
export const event: fc.Arbitrary<Event> = fc
  .record({
    timestamp: fc.integer({ min: START - 2, max: END + 2 }),
    url: maybe(["https://a.example/x", "https://b.example/", "app://x"]),
    origin: maybe(["https://a.example", "https://b.example"]),
    user_agent: maybe(["curl/8", "Mozilla/5.0"]),
    ip_address: fc.constantFrom("10.0.0.1", "192.0.2.1"),
    linked_id: maybe(["u1", "u2", "u3"]),
    bot: maybe(["bad", "good", "not_detected"] as const),
    suspect_score: maybe([0, 10, 11]),
    ip_info: maybe([
      { v4: { address: "10.0.0.1", asn: "64512", asn_name: "EXAMPLE" } },
      {
        v6: {
          address: "::1",
          asn: "64513",
          geolocation: { country_code: "DE" },
        },
      },
    ]),
  })
  .map((record) => record as Omit<Event, "event_id">)
  .chain((rest) => fc.uuid().map((event_id) => ({ event_id, ...rest })))
  .map(
    (made) =>
      Object.fromEntries(
        Object.entries(made).filter(([, value]) => value !== undefined),
      ) as Event,
  );

/** The condition of an expression, and the field that an event may lack. */
export const ATOMS = {
  "'X-A' in http.request.headers": "http.request.headers['X-A']",
  "http.request.headers['X-B'][0] == '1'": "http.request.headers['X-B']",
  "http.user_agent.string startsWith 'curl/'": "http.user_agent.string",
  "http.request.headers['Origin'][0] == 'https://a.example'":
    "http.request.headers['Origin']",
  "http.request.ip in cidr('10.0.0.0/8')": "http.request.ip",
  true: "",
} as const;

const atom = fc.constantFrom(...Object.keys(ATOMS));

/** Expressions that read one unknown part several times. */
export const compound: fc.Arbitrary<string> = fc.oneof(
  atom,
  fc
    .tuple(atom, fc.constantFrom("&&", "||"), atom, fc.boolean())
    .map(([a, operator, b, isNot]) =>
      isNot ? `!(${a}) ${operator} ${b}` : `${a} ${operator} ${b}`,
    ),
);

/** Rule sets with few names, so that two sets have rules in common. */
export const rules = (
  expression: fc.Arbitrary<string> = atom,
): fc.Arbitrary<Rule[]> =>
  fc.uniqueArray(
    fc.record({
      name: fc.constantFrom("r1", "r2", "r3", "r4", "r5"),
      expression,
      action: fc.constantFrom("allow" as const, "deny" as const),
      status: fc.constantFrom("enabled" as const, "enabled", "disabled"),
    }),
    { maxLength: 5, selector: ({ name }) => name },
  );

/** Events as they are read one by one. */
export async function* eachEvent(events: readonly Event[]) {
  for (const one of events) yield await Promise.resolve(one);
}
