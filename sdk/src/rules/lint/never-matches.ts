import type { Lint } from "./lint";

/** Conditions that contradict themselves. */
export const neverMatches: Lint = {
  code: "never-matches",
  severity: "warning",
  doc: "No request can match this rule: its condition contradicts itself.",
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
            message: "no request can match this: it contradicts itself",
            fix: "correct it, or delete the rule",
          },
        ]
      : [],
};
