import type {
  Attribute,
  Change,
  Estimate,
  Impact,
  Outcomes,
  RuleImpact,
  TopValue,
} from "@devid/review/replay";

const RANGE = {
  start: "2026-06-01T08:00:00.000Z",
  end: "2026-06-02T08:00:00.000Z",
};

const exactly = (value: number): Estimate => ({ value });
const about = (value: number): Estimate => ({
  value,
  low: Math.floor(value * 0.9),
  high: Math.ceil(value * 1.1),
});

/** Exact numbers of events that are newly denied, newly allowed, unchanged and undetermined. */
export const outcomes = (
  ...[denied, allowed, unchanged, unknown]: readonly [
    number,
    number,
    number,
    number,
  ]
): Outcomes => ({
  newlyDenied: exactly(denied),
  newlyAllowed: exactly(allowed),
  unchanged: exactly(unchanged),
  cannotTell: exactly(unknown),
});

/** The impact of a rule: the events that it decides before and after, and their outcomes. */
export const ruleImpact = (
  name: string,
  [before, after]: readonly [RuleImpact["before"], RuleImpact["after"]],
  [decidedBefore, decidedAfter, ...rest]: readonly [
    number,
    number,
    ...Parameters<typeof outcomes>,
  ],
): RuleImpact => ({
  ...{ name, before, after },
  decidedBefore: exactly(decidedBefore),
  decidedAfter: exactly(decidedAfter),
  outcomes: outcomes(...rest),
});

const CURL: Change = {
  events: 1_234,
  bots: 1_200,
  badBots: 1_190,
  suspect: { events: 640, scored: 1_000 },
  top: {
    origin: [{ value: "https://shop.example", events: 800 }, { events: 434 }],
    country: ["DE", "FR", "US", "GB", "NL", "PL"].map((value, n) => ({
      value,
      events: 600 >> n,
    })),
    asn: [{ value: "64512 EXAMPLE-NET", events: 1_234 }],
    userAgent: [
      {
        value: "curl/8.5.0 with something that makes it far too long to show",
        events: 1_233,
      },
      { value: "curl/7", events: 1 },
    ],
    linkedId: [{ value: "user-1", events: 3, atMost: 5 }],
  },
  examples: ["1780300000000.AbC123", "1780290000000.dEf456"],
};

/** A day on which rules of every kind decide something. */
export const BUSY: Impact = {
  range: RANGE,
  events: 12_345,
  total: outcomes(1_234, 7, 11_092, 12),
  possible: { newlyDenied: exactly(1_246), newlyAllowed: exactly(7) },
  assumedNotSent: [],
  rules: [
    ruleImpact("block-curl", ["absent", "deny"], [0, 1_234, 1_234, 0, 0, 2]),
    ruleImpact("allow-shop", ["deny", "allow"], [7, 9_000, 0, 7, 8_993, 0]),
    ruleImpact(
      "block-everything-that-is-not-known-here",
      ["disabled", "deny"],
      [0, 0, 0, 0, 0, 12],
    ),
    ruleImpact("never", ["deny", "deny"], [0, 0, 0, 0, 0, 0]),
    ruleImpact("gone", ["allow", "absent"], [2_099, 0, 0, 0, 2_099, 0]),
  ],
  missing: [
    { field: "http.request.headers['X-Api-Key']", events: 11 },
    { field: "http.user_agent.string", events: 1 },
  ],
  newlyDenied: CURL,
  newlyAllowed: {
    ...CURL,
    events: 7,
    bots: 0,
    badBots: 0,
    suspect: { events: 0, scored: 0 },
    top: Object.fromEntries(
      Object.keys(CURL.top).map((name) => [name, [{ events: 7 }]]),
    ) as Record<Attribute, TopValue[]>,
  },
  suspectThreshold: 10,
  periods: [],
};

const estimated = (total: Impact["total"]): Impact["total"] => ({
  newlyDenied: about(total.newlyDenied.value * 100),
  newlyAllowed: { value: 0, low: 0, high: 320 },
  unchanged: about(total.unchanged.value * 100),
  cannotTell: about(total.cannotTell.value * 100),
});

/** A sample of a hundred times more events. */
export const SAMPLED: Impact = {
  ...BUSY,
  sample: { confidence: 0.95, of: about(1_234_500) },
  total: estimated(BUSY.total),
  possible: {
    newlyDenied: about(124_600),
    newlyAllowed: { value: 0, low: 0, high: 320 },
  },
  assumedNotSent: ["Sec-Ch-Ua", "X-Shop"],
  rules: BUSY.rules.map((one) => ({
    ...one,
    decidedBefore: about(one.decidedBefore.value * 100),
    decidedAfter: about(one.decidedAfter.value * 100),
    outcomes: estimated(one.outcomes),
  })),
  newlyAllowed: "not observable",
};

/** A day without any change. */
export const QUIET: Impact = {
  ...BUSY,
  events: 1,
  total: outcomes(0, 0, 1, 0),
  possible: { newlyDenied: exactly(0), newlyAllowed: exactly(0) },
  rules: BUSY.rules.slice(3, 4),
  missing: [],
  newlyDenied: { ...CURL, events: 0 },
  newlyAllowed: "not observable",
};

/** A day whose rules and events contain the same text everywhere. */
export function withTexts(text: string): Impact {
  const change: Change = {
    ...CURL,
    top: Object.fromEntries(
      Object.keys(CURL.top).map((name) => [
        name,
        [{ value: text, events: 1_234 }],
      ]),
    ) as Record<Attribute, TopValue[]>,
    examples: [text, text],
  };
  return {
    ...BUSY,
    rules: BUSY.rules.map((one) => ({ ...one, name: text })),
    missing: [{ field: text, events: 12 }],
    newlyDenied: change,
    newlyAllowed: change,
  };
}
