import { allows, noneMatches, all, matches, not } from "../solver/condition";
import type { FindInSet, FindInRule } from "./lint";
import {
  DEFAULT_MAX_RULES,
  type LintedRule,
  type LintedSet,
} from "./linted-set";
import { coveringRule } from "./networks";

/** Finds rule sets that let nothing through. */
export const findDenyAll: FindInSet = (set) => {
  const { enabled, refused } = set;
  const mayAllow = refused.some(
    ({ rule }) => rule.status === "enabled" && rule.action === "allow",
  );
  if (mayAllow || !set.isImpossible(() => allows(enabled))) return [];
  // It is shown at the rule behind which no request is left.
  const last =
    enabled[
      shortestEnough(enabled.length, (length) =>
        set.isImpossible(() => noneMatches(enabled.slice(0, length))),
      ) - 1
    ];
  return [
    {
      at: last?.index ?? 0,
      message:
        "the rules let no request through: what is not denied before is denied here",
      fix: "put rules that allow in front of it, or narrow it",
    },
  ];
};

const BY_WHOM = ", as an older page of the service's documentation has it";

/** Finds rule sets with more rules than the account has room for. */
export const findTooManyRules: FindInSet = ({ all, maxRules }) =>
  all.length > maxRules
    ? [
        {
          at: maxRules,
          message: `there are ${all.length} rules, and room for ${maxRules}${maxRules === DEFAULT_MAX_RULES ? BY_WHOM : ""}`,
          fix: "join rules of the same action with ||",
        },
      ]
    : [];

/** Finds conditions that no request meets. */
export const findNeverMatches: FindInRule = ({ match }) =>
  match.answer === "none"
    ? [
        {
          message: "no request can match this",
          fix: "correct it, or delete the rule",
        },
      ]
    : [];

/** Finds rules behind a rule that matches every request. */
export const findUnreachable: FindInRule = ({ index }, { firstCatchAll }) => {
  if (!firstCatchAll || firstCatchAll.index >= index) return [];
  const { name } = firstCatchAll.rule;
  return [
    {
      message: `no request comes this far: "${name}" before it matches every one`,
      fix: `move it in front of "${name}", or delete it`,
      others: [name],
    },
  ];
};

/** Finds rules with the same condition as an earlier rule. */
export const findDuplicate: FindInRule = (rule, set) => {
  const first = set.firstWith(rule);
  if (!first || first.index >= rule.index) return [];
  const { name, action } = first.rule;
  const isSame = action === rule.rule.action;
  return [
    {
      message: `"${name}" before it has the same condition and decides: ${action}`,
      fix: isSame ? "delete it" : `delete it, or "${name}"`,
      others: [name],
    },
  ];
};

/** Finds rules for which the earlier rules leave no request. */
export const findShadowed: FindInRule = (rule, set) => {
  set.budget.spend();
  const earlier = set.before(rule);
  if (!decide(earlier, rule, set)) return [];
  const others = neededOf(earlier, rule, set);
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

/** Whether it is proven that the earlier rules leave no request to a rule. */
function decide(
  earlier: readonly LintedRule[],
  rule: LintedRule,
  set: LintedSet,
): boolean {
  const { match } = rule;
  if (match.answer === "found" && !set.firstMatching(earlier, match.request))
    return false;
  return set.isImpossible(() =>
    all(matches(rule.expression), noneMatches(earlier)),
  );
}

/** The shortest length up to `most` that is enough, where a longer one than an enough one is enough, too. */
function shortestEnough(
  most: number,
  isEnough: (length: number) => boolean,
): number {
  let [low, high] = [1, most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Of earlier rules that leave no request to a rule, the smallest part that does
 * so, too: without any one of them a request is left.
 */
function neededOf(
  earlier: readonly LintedRule[],
  rule: LintedRule,
  set: LintedSet,
): LintedRule[] {
  const needed: LintedRule[] = [];
  let rest = earlier;
  while (rest.length > 0 && !decide(needed, rule, set)) {
    // The shortest beginning that is enough ends in a rule that is needed.
    const beginning = rest;
    const length = shortestEnough(rest.length, (first) =>
      decide([...beginning.slice(0, first), ...needed], rule, set),
    );
    needed.unshift(...rest.slice(length - 1, length));
    rest = rest.slice(0, length - 1);
  }
  return needed;
}

/** Finds allow rules without which the same requests would be allowed. */
export const findAllowChangesNothing: FindInRule = (rule, set) => {
  const later = set.after(rule);
  if (rule.rule.action !== "allow" || !later) return [];
  // A last rule `true` that allows says what holds anyway, on purpose.
  const isLastWord =
    rule.expression.root.kind === "boolean" && later.length === 0;
  if (isLastWord || coveringRule(rule, set) || isOfUse(rule, later, set))
    return [];
  return [
    {
      message: "no rule behind it denies what it allows, so it changes nothing",
      fix: "deny the rest in a last rule (expression: true), or delete it",
    },
  ];
};

/** Whether there may be a request that this rule allows and a later rule would deny. */
function isOfUse(
  rule: LintedRule,
  later: readonly LintedRule[],
  set: LintedSet,
): boolean {
  const lastDeny = later.findLast((other) => other.rule.action === "deny");
  if (!lastDeny) return false;
  set.budget.spend();
  const isMatched = matches(rule.expression);
  // The last deny rule is often the widest.
  const guess = set.findRequest(all(isMatched, matches(lastDeny.expression)));
  const before = set.before(rule);
  if (
    guess.answer === "found" &&
    !set.firstMatching(before, guess.request) &&
    set.firstMatching(later, guess.request)?.rule.action === "deny"
  )
    return true;
  return !set.isImpossible(() =>
    all(isMatched, noneMatches(before), not(allows(later))),
  );
}

/** Finds conditions that hold for every request without being written as `true`. */
export const findAlwaysMatches: FindInRule = (rule, set) =>
  rule.expression.root.kind !== "boolean" && set.matchesAlways(rule)
    ? [
        {
          message: "this is true of every request",
          fix: "write true if that is meant, or correct it",
        },
      ]
    : [];
