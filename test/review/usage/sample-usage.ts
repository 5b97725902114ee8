import type { Usage } from "@devid/review/replay";

/** A usage with a rule for each kind of line in a report. */
export const USAGE: Usage = {
  range: {
    start: "2026-06-01T00:00:00.000Z",
    end: "2026-07-01T00:00:00.000Z",
  },
  events: 1_204_551,
  decidedByNone: 1_200_000,
  assumedNotSent: [],
  fields: [],
  rules: [
    {
      name: "block-crawlers",
      action: "deny",
      verdict: "decides",
      decided: 4_551,
      time: {
        first: "2026-06-01T00:10:00.000Z",
        last: "2026-06-30T23:59:00.000Z",
      },
      mayHaveDecided: 0,
      matched: 4_551,
      overruledBy: [],
      neverFilled: [],
      terms: [
        {
          term: "a in ['x']",
          isException: false,
          events: 4_551,
          undetermined: 0,
        },
        {
          term: "a in ['<y>']",
          isException: false,
          events: 0,
          undetermined: 0,
        },
        {
          term: "a in ['z']",
          isException: false,
          events: 0,
          undetermined: 3,
        },
      ],
    },
    {
      name: "a rule whose name is longer than its column",
      action: "allow",
      verdict: "overruled",
      decided: 0,
      mayHaveDecided: 0,
      matched: 20,
      overruledBy: [{ rule: "block-crawlers", events: 20 }],
      neverFilled: [],
      terms: [],
    },
    {
      name: "app",
      action: "deny",
      verdict: "cannot tell",
      decided: 0,
      mayHaveDecided: 7,
      matched: 0,
      overruledBy: [],
      neverFilled: ["sdk.platform.app_package_name"],
      terms: [],
    },
  ],
};
