import { all, matches, passes } from "../solver/condition";
import type { Lint } from "./lint";
import { isImpossible, type LintedRule } from "./linted-set";

/** Rules of which nothing is left once the earlier ones have decided. */
export const shadowed: Lint = {
  code: "shadowed",
  severity: "warning",
  doc: "Earlier rules decide every request that this one could match.",
  example: {
    found: [
      {
        name: "office",
        expression: "http.request.ip in cidr('10.0.0.0/8')",
        action: "deny",
      },
      {
        name: "printer",
        expression: "http.request.ip in cidr('10.1.2.3/32')",
        action: "allow",
      },
    ],
    fixed: [
      {
        name: "printer",
        expression: "http.request.ip in cidr('10.1.2.3/32')",
        action: "allow",
      },
      {
        name: "office",
        expression: "http.request.ip in cidr('10.0.0.0/8')",
        action: "deny",
      },
    ],
  },
  unless: ["never-matches", "unreachable", "duplicate"],
  of: "enabled rule",
  find: (rule, set) => {
    const earlier = set.before(rule);
    if (!decide(earlier, rule)) return [];
    const others = neededOf(earlier, rule);
    const names = others.map((other) => other.rule.name);
    const actions = new Set(others.map((other) => other.rule.action));
    const isSame = !actions.has(OTHER[rule.rule.action]);
    const how = isSame
      ? "with the same action"
      : `${actions.size > 1 ? "some " : ""}with the other action`;
    return [
      {
        message: `${whoDecides(names)} every request that it could match, ${how}`,
        fix: isSame
          ? "delete it"
          : `move it in front of "${names[0]}", or delete it`,
        others: names,
      },
    ];
  },
};

const OTHER = { allow: "deny", deny: "allow" } as const;

const MAX_NAMED = 3;

function whoDecides(names: readonly string[]): string {
  if (names.length > MAX_NAMED) return "earlier rules decide";
  const [last, ...rest] = names.map((name) => `"${name}"`).reverse();
  return rest.length > 0
    ? `${rest.reverse().join(", ")} and ${last} before it decide`
    : `${last} before it decides`;
}

/** Whether these leave nothing to a rule behind them. */
function decide(earlier: readonly LintedRule[], rule: LintedRule): boolean {
  const left = all(matches(rule.expression), passes(earlier));
  return isImpossible(left, rule.match);
}

/** Of rules that leave nothing to another, those that it takes: without any one of them something is left. */
function neededOf(
  earlier: readonly LintedRule[],
  rule: LintedRule,
): LintedRule[] {
  const needed: LintedRule[] = [];
  let rest = earlier;
  while (rest.length > 0 && !decide(needed, rule)) {
    // The last of the shortest beginning that is enough is one of them.
    let [low, high] = [1, rest.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (decide([...rest.slice(0, middle), ...needed], rule)) high = middle;
      else low = middle + 1;
    }
    needed.unshift(...rest.slice(low - 1, low));
    rest = rest.slice(0, low - 1);
  }
  return needed;
}
