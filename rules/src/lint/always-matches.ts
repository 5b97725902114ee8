import type { Lint } from "./lint";
import { matchesAlways } from "./linted-set";

/** Conditions that are true of every request and do not say so. */
export const alwaysMatches: Lint = {
  code: "always-matches",
  severity: "note",
  doc: "This condition is true of every request, and does not say so.",
  detail:
    "A rule for all the rest, as the last one often is, says so with `true`, and is not noted.",
  example: {
    found: [
      { name: "apps", expression: "sdk.platform.is_ios", action: "allow" },
      {
        name: "others",
        expression:
          "sdk.platform.name != 'android' || sdk.platform.name != 'ios'",
        action: "deny",
      },
    ],
    fixed: [
      { name: "apps", expression: "sdk.platform.is_ios", action: "allow" },
      { name: "others", expression: "true", action: "deny" },
    ],
  },
  unless: ["unreachable", "duplicate", "shadowed"],
  of: "enabled rule",
  find: (rule) =>
    rule.expression.root.kind !== "boolean" && matchesAlways(rule)
      ? [
          {
            message: "this is true of every request",
            fix: "write true if that is meant, or correct it",
          },
        ]
      : [],
};
