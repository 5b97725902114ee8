import type { Change, Impact } from "../../../review/src/replay-subpath";
import { outcomes, ruleImpact } from "../replay/impacts";

const START = Date.UTC(2026, 10, 20);
const HOUR_MS = 3_600_000;

const time = (hours: number) =>
  new Date(START + hours * HOUR_MS).toISOString().replace(".000", "");

/** Counts of an outcome that no event has. */
export const NOTHING: Change = {
  events: 0,
  top: { origin: [], country: [], asn: [], userAgent: [], linkedId: [] },
  badBots: 0,
  bots: 0,
  suspect: { events: 0, scored: 0 },
  examples: [],
};

/**
 * The impact of the rules of `sample-review.ts` on made-up events, all of which were
 * read.
 */
export const IMPACT: Impact = {
  range: { start: time(0), end: time(24) },
  events: 12_345,
  total: outcomes(420, 0, 11_911, 14),
  possible: { newlyDenied: { value: 434 }, newlyAllowed: { value: 0 } },
  assumedNotSent: [],
  rules: [
    ruleImpact("allow-partners", ["allow", "allow"], [310, 525, 0, 0, 525, 0]),
    ruleImpact("block-crawlers", ["deny", "deny"], [0, 0, 0, 0, 0, 0]),
    ruleImpact("block-curl", ["absent", "deny"], [0, 17, 17, 0, 0, 0]),
    ruleImpact(
      "allow-our-shop",
      ["allow", "allow"],
      [12_035, 11_386, 403, 0, 11_386, 14],
    ),
    ruleImpact("block-other-sites", ["deny", "deny"], [0, 403, 403, 0, 0, 0]),
    ruleImpact("allow-old-shop", ["allow", "absent"], [0, 0, 0, 0, 0, 0]),
  ],
  missing: [{ field: "http.request.headers['Origin']", events: 14 }],
  newlyDenied: {
    events: 420,
    top: {
      origin: [{ value: "https://shop.example", events: 403 }, { events: 17 }],
      country: [
        { value: "DE", events: 260 },
        { value: "FR", events: 143 },
        { events: 17 },
      ],
      asn: [{ value: "64500 Example Net", events: 420 }],
      userAgent: [
        {
          value:
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
          events: 403,
        },
        { value: "curl/8.5.0", events: 17 },
      ],
      linkedId: [
        { value: "customer-7", events: 21 },
        { value: "customer-12", events: 19 },
        { events: 380 },
      ],
    },
    badBots: 17,
    bots: 18,
    suspect: { events: 22, scored: 420 },
    examples: ["1763683200000.AbC123", "1763683100000.dEf456"],
  },
  newlyAllowed: "not observable",
  suspectThreshold: 10,
  periods: Array.from({ length: 24 }, (_, hour) => ({
    start: time(hour),
    events: 514,
    deniedBefore: hour % 6 === 0 ? 2 : 0,
    deniedAfter: 10 + ((hour * 7) % 15),
  })),
};

/** The same impact, estimated from a sample. */
export const SAMPLED: Impact = {
  ...IMPACT,
  events: 2_000,
  sample: {
    confidence: 0.95,
    of: { value: 12_345, low: 11_800, high: 12_900 },
  },
  total: {
    newlyDenied: { value: 118, low: 80, high: 156 },
    newlyAllowed: { value: 0, low: 0, high: 0 },
    unchanged: { value: 12_227, low: 11_700, high: 12_800 },
    cannotTell: { value: 0, low: 0, high: 9 },
  },
  possible: {
    newlyDenied: { value: 118, low: 80, high: 156 },
    newlyAllowed: { value: 0, low: 0, high: 0 },
  },
  missing: [],
};
