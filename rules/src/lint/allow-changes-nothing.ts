import { all, allows, matches, not, passes } from "../solver/condition";
import { findRequest } from "../solver/find-request";
import type { Lint } from "./lint";
import { isImpossible, type LintedRule, type LintedSet } from "./linted-set";
import { coveringRule } from "./overlapping-networks";

/** Allow rules that allow what would be allowed without them. */
export const allowChangesNothing: Lint = {
  code: "allow-changes-nothing",
  severity: "warning",
  doc: "What this rule allows would be allowed without it: no rule behind it denies any of it.",
  detail:
    "A request that no rule matches is allowed, so rules that allow need one behind them that denies the rest. That is often what is missing.",
  example: {
    found: [
      {
        name: "our-shop",
        expression:
          "any(http.request.headers['Origin'], # == 'https://shop.example')",
        action: "allow",
      },
    ],
    fixed: [
      {
        name: "our-shop",
        expression:
          "any(http.request.headers['Origin'], # == 'https://shop.example')",
        action: "allow",
      },
      { name: "others", expression: "true", action: "deny" },
    ],
  },
  unless: ["never-matches", "unreachable", "duplicate", "shadowed"],
  of: "enabled rule",
  find: (rule, set) => {
    const later = set.after(rule);
    if (rule.rule.action !== "allow" || !later) return [];
    // "Allow the rest" spells out what holds anyway, and is meant to.
    const isLastWord =
      rule.expression.root.kind === "boolean" && later.length === 0;
    if (isLastWord || coveringRule(rule, set) || isOfUse(rule, later, set))
      return [];
    return [
      {
        message:
          "no rule behind it denies what it allows, so it changes nothing",
        fix: "deny the rest in a last rule (expression: true), or delete it",
      },
    ];
  },
};

/** Whether there may be a request that this rule allows and a later one would deny. */
function isOfUse(
  rule: LintedRule,
  later: readonly LintedRule[],
  set: LintedSet,
): boolean {
  const lastDeny = later.findLast((other) => other.rule.action === "deny");
  if (!lastDeny) return false;
  const isMatched = matches(rule.expression);
  // The last one to deny is often the widest.
  const guess = findRequest(all(isMatched, matches(lastDeny.expression)));
  const isSaved = all(isMatched, passes(set.before(rule)), not(allows(later)));
  return !isImpossible(isSaved, guess);
}
