import {
  checkExpression,
  printExpression,
  type RuleRequest,
} from "../../language";
import { quote } from "../../language/syntax/print-expression";
import { allows, noneMatches, all, matches, not } from "../../solver/condition";
import { replacement, type FindInSet, type FindInRule } from "../set/lint";
import {
  DEFAULT_MAX_RULES,
  type LintedRule,
  type LintedSet,
} from "../set/linted-set";
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
export const findNeverMatches: FindInRule = (rule, set) => {
  if (rule.match.answer !== "none") return [];
  const { root } = rule.expression;
  if (root.kind === "boolean")
    return [
      {
        severity: "note",
        message: "no request can match this",
        fix: "write its condition, or delete the rule",
      },
    ];
  const why = contradiction(rule, set);
  return [
    {
      message: `no request can match this${why ? `: ${why.message}` : ""}`,
      fix: why?.edit
        ? `write ${why.edit}, or delete the rule`
        : "correct it, or delete the rule",
      edits: why?.edit ? [replacement(root, why.edit)] : undefined,
    },
  ];
};

/** Most operands of `&&` of which each two are compared. */
const MAX_OPERANDS = 12;

/** Which part of a condition is never true, or which two are never true together. */
function contradiction(
  { expression: { root, source }, comparisons }: LintedRule,
  set: LintedSet,
): { readonly message: string; readonly edit?: string } | undefined {
  if (root.kind !== "logical" || root.operator !== "&&") return undefined;
  const parts = root.operands.slice(0, MAX_OPERANDS).flatMap((node) => {
    const { offset, length } = node.span;
    const checked = checkExpression(source.slice(offset, offset + length));
    return checked.ok ? [{ node, expression: checked.expression }] : [];
  });
  for (const { expression } of parts)
    if (set.isImpossible(() => matches(expression)))
      return { message: `${printExpression(expression.root)} is never true` };
  for (const [i, one] of parts.entries())
    for (const other of parts.slice(0, i)) {
      const both = () =>
        all(matches(other.expression), matches(one.expression));
      if (!set.isImpossible(both)) continue;
      const [first, second] = [other, one].map(({ node }) =>
        comparisons.find((comparison) => comparison.node === node),
      );
      const isOneText =
        root.operands.length === 2 &&
        first?.operator === "==" &&
        second?.operator === "==" &&
        !first.negated &&
        !second.negated &&
        first.subject === second.subject;
      return {
        message: `${printExpression(other.node)} and ${printExpression(one.node)} are never true together`,
        edit: isOneText
          ? `${first.subject} in [${quote(first.text)}, ${quote(second.text)}]`
          : undefined,
      };
    }
  return undefined;
}

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
  const spelt = set.firstWith(rule);
  const first =
    spelt && spelt.index < rule.index ? spelt : sameRequests(rule, set);
  if (!first) return [];
  const { name, action } = first.rule;
  const isSame = action === rule.rule.action;
  return [
    {
      message: `"${name}" before it has the same condition and decides: ${action}`,
      fix: isSame ? "delete it" : `delete it, or "${name}"`,
      edits: isSame ? [{ kind: "delete" }] : undefined,
      others: [name],
    },
  ];
};

/** The earlier rule that matches the same requests as a rule, for all that it is spelt in another way. */
function sameRequests(
  rule: LintedRule,
  set: LintedSet,
): LintedRule | undefined {
  const [first, ...others] = decidingRules(rule, set) ?? [];
  return first &&
    others.length === 0 &&
    set.isImpossible(() =>
      all(matches(first.expression), not(matches(rule.expression))),
    )
    ? first
    : undefined;
}

/** Finds rules for which the earlier rules leave no request. */
export const findShadowed: FindInRule = (rule, set) => {
  set.budget.spend();
  const others = decidingRules(rule, set);
  if (!others) return [];
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
      edits: isSame ? [{ kind: "delete" }] : undefined,
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

const deciding = new WeakMap<
  LintedRule,
  { readonly rules: readonly LintedRule[] | undefined }
>();

/** The fewest earlier rules that leave no request to a rule; undefined where that is not proven of all of them. */
function decidingRules(
  rule: LintedRule,
  set: LintedSet,
): readonly LintedRule[] | undefined {
  const known = deciding.get(rule) ?? { rules: findDecidingRules(rule, set) };
  deciding.set(rule, known);
  return known.rules;
}

function findDecidingRules(
  rule: LintedRule,
  set: LintedSet,
): readonly LintedRule[] | undefined {
  const earlier = set.before(rule);
  const { match } = rule;
  if (match.answer === "found") {
    const first = set.firstMatching(earlier, match.request);
    if (!first) return undefined;
    // Rules that leave no request are never without this one.
    if (decide([first], rule, set)) return [first];
  }
  return decide(earlier, rule, set) ? neededOf(earlier, rule, set) : undefined;
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

/** Finds deny rules before a deny of everything, without which the same requests would be denied. */
export const findDenyChangesNothing: FindInRule = (rule, set) => {
  const later = set.after(rule);
  const { firstCatchAll: last } = set;
  const isBeforeDenyOfAll =
    last?.rule.action === "deny" && last.index > rule.index;
  if (rule.rule.action !== "deny" || !later || !isBeforeDenyOfAll) return [];
  const { denyWith } = rule.rule;
  const isSameAnswer = later.every(
    (other) =>
      other.rule.action === "allow" || other.rule.denyWith === denyWith,
  );
  // If nobody gets through, deny-all says so.
  const mayAllow = set.enabled.some((other) => other.rule.action === "allow");
  const isCompared =
    isSameAnswer &&
    mayAllow &&
    later.length <= MAX_SEARCHED &&
    !coveringRule(rule, set);
  const { match } = rule;
  const isDenied =
    isCompared &&
    match.answer === "found" &&
    set.firstMatching(later, match.request)?.rule.action === "deny";
  if (!isDenied) return [];
  const isNeeded = !set.isImpossible(() =>
    all(matches(rule.expression), noneMatches(set.before(rule)), allows(later)),
  );
  if (isNeeded) return [];
  return [
    {
      message: `the rules behind it deny all that it denies, "${last.rule.name}" the rest of it`,
      fix: "delete it, or put a rule that allows behind it",
      request: match.request,
      others: [last.rule.name],
    },
  ];
};

/** With more rules behind it than this, a rule that denies is not compared with them: it would take too long. */
const MAX_SEARCHED = 200;

/** Whether there may be a request that this rule allows and a later rule would deny. */
function isOfUse(
  rule: LintedRule,
  later: readonly LintedRule[],
  set: LintedSet,
): boolean {
  const lastDeny = later.findLast((other) => other.rule.action === "deny");
  if (!lastDeny) return false;
  set.budget.spend();
  const before = set.before(rule);
  const shows = (request: RuleRequest) =>
    !set.firstMatching(before, request) &&
    set.firstMatching(later, request)?.rule.action === "deny";
  for (const request of set.requestsOf(rule)) if (shows(request)) return true;
  const isMatched = matches(rule.expression);
  // The last deny rule is often the widest.
  const guess = set.findRequest(all(isMatched, matches(lastDeny.expression)));
  if (guess.answer === "found" && shows(guess.request)) return true;
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
