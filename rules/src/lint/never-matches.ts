import type { Lint } from "./lint";

/** Conditions that no request meets. */
export const neverMatches: Lint = {
  code: "never-matches",
  severity: "warning",
  doc: "No request can match this rule.",
  detail:
    "Its condition contradicts itself, or asks for what no request has: a platform other than `js`, `android`, `ios` and `unknown`, or a crawler that is an AI bot as well (docs/assumptions.md, A105).",
  example: {
    found: [
      {
        name: "old-agents",
        expression:
          "sdk.platform.name == 'android' && sdk.platform.name == 'ios'",
        action: "deny",
      },
    ],
    fixed: [
      {
        name: "old-agents",
        expression:
          "sdk.platform.name == 'android' || sdk.platform.name == 'ios'",
        action: "deny",
      },
    ],
  },
  of: "rule",
  find: ({ match }) =>
    match.answer === "none"
      ? [
          {
            message: "no request can match this",
            fix: "correct it, or delete the rule",
          },
        ]
      : [],
};
