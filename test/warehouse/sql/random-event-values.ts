import fc from "fast-check";
import {
  eventAsRuleRequest,
  type PartialRuleRequest,
} from "@devid/rules/language";
import { patternText } from "../../rules/language/random-patterns";
import { word } from "../../rules/language/random-request";

/** The values of an event as columns of the table. */
export interface EventValues {
  readonly origin: string | null;
  readonly user_agent: string | null;
  readonly ip_address: string | null;
  readonly sdk_platform: string | null;
  readonly sdk_version: string | null;
  readonly package_name: string | null;
  readonly bundle_id: string | null;
}

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
  fc.constantFrom(
    "10.1.2.3",
    "203.0.113.5",
    "::ffff:10.1.2.3",
    "::FFFF:10.1.2.3",
    "::ffff:0a01:0203",
    "2001:db8::1",
    "2001:DB8:0:0:0:0:0:1",
    "64:ff9b::10.1.2.3",
    "::",
    "::1",
    "1::",
    "1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7::",
    "::2:3:4:5:6:7:8",
    "1:2:3:4:5:6:1.2.3.4",
    "",
    "010.1.2.3",
    "10.1.2",
    "10.1.2.3.4",
    "10.1.2.256",
    "10.1.2.3 ",
    "10.1.2.3\n",
    "::1%eth0",
    ":::",
    "::1::",
    "1:2:3:4:5:6:7:8:",
    ":1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7:8:9",
    "1::2:3:4:5:6:7:8",
    "12345::1",
    "1:2:3:4:5:6:7:00010002",
    "::1.2.3.4:5",
    "1.2.3.4::",
    "::01.2.3.4",
    "1:2:3:4:5:6:7:1.2.3.4",
    "!",
    "6001:",
  ),
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

/** Events with any part missing. */
export const eventValues: fc.Arbitrary<EventValues> = fc.record({
  origin: orNull(text),
  user_agent: orNull(
    fc.oneof(text, text, fc.constantFrom("GPTBot/1.2", "Googlebot/2.1")),
  ),
  ip_address: orNull(address),
  sdk_platform: orNull(
    fc.oneof(
      fc.constantFrom("js", "android", "ios"),
      fc.constantFrom("unknown", "JS", "flutter", ""),
    ),
  ),
  sdk_version: orNull(text),
  package_name: orNull(text),
  bundle_id: orNull(text),
});

/** The request that the replay makes from such an event. */
export function requestOf(
  known: EventValues,
  notSent: ReadonlySet<string>,
): PartialRuleRequest {
  const { sdk_platform: platform, sdk_version: version, ...rest } = known;
  const event = { ...rest, sdk: { platform, version } };
  const request = eventAsRuleRequest(event);
  return { ...request, notSent };
}

/** The names of the columns. */
export const COLUMN_NAMES = [
  "origin",
  "user_agent",
  "ip_address",
  "sdk_platform",
  "sdk_version",
  "package_name",
  "bundle_id",
] as const satisfies readonly (keyof EventValues)[];
