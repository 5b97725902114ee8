import type { Event } from "@devid/sdk";
import fc from "fast-check";
import { END, START } from "../../review/replay/random-replay";
import { patternText } from "../../rules/language/random-patterns";
import { word } from "../../rules/language/random-request";

const text = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 2, arbitrary: patternText },
  {
    weight: 1,
    arbitrary: fc.string({
      unit: fc.constantFrom(
        ..."a b A B K \0 \\ ' \" % _ ` { } ; -- \r \n \t \x7f ß ſ K İ ı Σ ς ǅ ﬁ ѐ Ა ᲀ \uffff \ud7ff \ue000 \u{10ffff} \u{1f600} \u0085 \u00a0 \u200b \u3000".split(
          " ",
        ),
        " ",
      ),
      maxLength: 8,
    }),
  },
);
const address = fc.oneof(
  ...[
    "10.1.2.3 203.0.113.5 ::ffff:10.1.2.3 ::FFFF:10.1.2.3",
    "::ffff:0a01:0203 2001:db8::1 2001:DB8:0:0:0:0:0:1 64:ff9b::10.1.2.3",
    ":: ::1 1:: 1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:: ::2:3:4:5:6:7:8",
    "1:2:3:4:5:6:1.2.3.4 010.1.2.3 10.1.2 10.1.2.3.4 10.1.2.256 ::1%eth0",
    "::: ::1:: 1:2:3:4:5:6:7:8: :1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:8:9",
    "1::2:3:4:5:6:7:8 12345::1 1:2:3:4:5:6:7:00010002 ::1.2.3.4:5",
    "1.2.3.4:: ::01.2.3.4 1:2:3:4:5:6:7:1.2.3.4 ! 6001:",
  ].map((line) => fc.constantFrom(...line.split(" "))),
  fc.constantFrom("", "10.1.2.3 ", "10.1.2.3\n"),
  fc.ipV4(),
  fc.ipV6(),
  fc
    .array(
      fc.constantFrom(..."0 1 a F ffff : : :: . 1.2.3.4 255 !".split(" ")),
      {
        maxLength: 10,
      },
    )
    .map((parts) => parts.join("")),
);
const orNull = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.option(arbitrary, { freq: 6 });

/** Events of which rules read any part, or miss it. */
export const readEvent: fc.Arbitrary<Event> = fc
  .record({
    origin: orNull(text),
    user_agent: orNull(
      fc.oneof(text, text, fc.constantFrom("GPTBot/1.2", "Googlebot/2.1")),
    ),
    ip_address: orNull(address),
    sdk: fc.record({
      platform: orNull(
        fc.oneof(
          fc.constantFrom("js", "android", "ios"),
          fc.constantFrom("unknown", "JS", "flutter", ""),
        ),
      ),
      version: orNull(text),
    }),
    package_name: orNull(text),
    bundle_id: orNull(text),
  })
  .map((read) => ({ event_id: "", timestamp: 0, ...read }));

const maybe = <Value>(...values: Value[]) => fc.constantFrom(null, ...values);

/** Such events in and around the range of `random-replay.ts`, with few different values. */
export const countedEvent: fc.Arbitrary<Event> = fc
  .record({
    read: readEvent,
    event_id: fc.uuid(),
    timestamp: fc.integer({ min: START - 2, max: END + 2 }),
    url: maybe(
      "https://a.example/x?y#z",
      "https://b.example",
      "https://B.example:443/",
      "http://b.example:81/",
      "app://x",
      "https://",
      "",
      " https://c.example/",
      "https://user@d.example/",
    ),
    linked_id: maybe(
      "u1",
      "u2",
      "",
      "\ue000",
      "\u{1f600}",
      "\u{1f600}".repeat(300),
      "a" + "\u{1f600}".repeat(300),
      "x".repeat(600),
    ),
    country: maybe("DE", "FR"),
    asn: maybe("64512", ""),
    asn_name: maybe("EXAMPLE", ""),
    bot: maybe("bad", "good", "not_detected"),
    suspect_score: maybe(0, 10, 11, 10.5),
  })
  .map(({ read, country, asn, asn_name, ...rest }) => {
    const v4 = { asn, asn_name, geolocation: { country_code: country } };
    return { ...read, ...rest, ip_info: { v4 } } as unknown as Event;
  });
