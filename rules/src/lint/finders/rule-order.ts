import { type RuleRequest } from "../../language";
import { isBothBots } from "../../language/request/bot-flags";
import {
  allows,
  noneMatches,
  all,
  matches,
  meetsCondition,
  not,
  type Condition,
} from "../../solver/condition";
import { holdsFor } from "../set/prove";
import { factsOfAgents, factsOfApps } from "./constant-conditions";
import { onceFor } from "../../once-for";
import type { Rule } from "../../rule-set/rule";
import {
  type AddedRule,
  type FindInSet,
  type LintResult,
  type FindInRule,
  type RuleEdit,
} from "../set/lint";
import {
  DEFAULT_MAX_RULES,
  EMPTY,
  firstMatching,
  type LintedRule,
  type LintedSet,
} from "../set/linted-set";

/** Finds rule sets that deny every request. */
export const findDenyAll: FindInSet = (set) => {
  const { enabled, refused } = set;
  const mayAllow = refused.some(
    ({ rule }) => rule.status === "enabled" && rule.action === "allow",
  );
  if (mayAllow || !set.isImpossible(allows(enabled))) return undefined;
  // It is shown at the rule that decides the last requests.
  const last = enabled.find((_, i) =>
    set.isImpossible(noneMatches(enabled.slice(0, i + 1))),
  );
  const edit = last && openingEdit(last, set);
  return {
    at: last?.index ?? 0,
    message: "the rules deny every request: this rule denies all that remain",
    fix: edit
      ? `put rules that allow in front of it, narrow it, or ${edit.kind === "move" ? "put it behind the rules that allow" : "delete it"}`
      : "put rules that allow in front of it, or narrow it",
    edits: edit && [edit],
  };
};

/** The edit after which some request gets through. `last` is the rule that denies all remaining requests. */
function openingEdit(last: LintedRule, set: LintedSet): RuleEdit | undefined {
  const { enabled, refused } = set;
  const others = enabled.filter((one) => one !== last);
  if (others.length === 0 || refused.length > 0) return undefined;
  const isOpen = (rules: readonly LintedRule[]) =>
    set.findRequest(allows(rules)).answer === "found";
  const mayMove = others.some(
    ({ index, rule }) => index > last.index && rule.action === "allow",
  );
  if (mayMove && isOpen([...others, last]))
    return { kind: "move", to: set.all.length };
  return isOpen(others) ? { kind: "delete" } : undefined;
}

const BY_WHOM = ", as an older page of the service's documentation has it";

/** Finds rule sets with more rules than the account's limit. */
export const findTooManyRules: FindInSet = ({ all, maxRules }) =>
  all.length > maxRules
    ? {
        at: maxRules,
        message: `there are ${all.length} rules, and room for ${maxRules}${maxRules === DEFAULT_MAX_RULES ? BY_WHOM : ""}`,
        fix: "join rules of the same action with ||",
      }
    : undefined;

/** Finds rules that decide nothing, because earlier rules decide all requests that they match. */
export const findUnreachable: FindInRule = (rule, set) => {
  const others = decidingRules(rule, set) ?? decidingClients(rule, set);
  const [first] = others ?? [];
  if (!others || !first) return undefined;
  const names = others.map((other) => other.rule.name);
  const same = others.filter((other) => other.isDeny === rule.isDeny);
  const isSame = same.length === others.length;
  const isOnly = others.length === 1;
  const isEqual = isOnly && isSameCondition(first, rule, set);
  const how = isSame
    ? "with the same action"
    : `${same.length > 0 ? "some " : ""}with the other action`;
  const why = isEqual
    ? `"${first.rule.name}" before it has the same condition`
    : first === set.firstCatchAll
      ? `"${first.rule.name}" before it matches every request`
      : `${whoDecides(names)} every request that it could match`;
  return {
    message: `no request reaches this rule: ${why}, ${how}`,
    fix: isSame
      ? "delete it"
      : isEqual
        ? `delete it, or "${first.rule.name}"`
        : `delete it, or move it in front of "${first.rule.name}"`,
    edits: isSame
      ? [{ kind: "delete" }]
      : isOnly && !isEqual
        ? [{ kind: "move", to: first.index }]
        : undefined,
    others: names,
  };
};

const fieldsIn = onceFor(({ expression: { types } }: LintedRule) =>
  [...new Set([...types.values()].map(({ name }) => name))].join("\n"),
);

export const asksFor = (field: RegExp, rule: LintedRule) =>
  field.test(fieldsIn(rule));

/** Whether a rule matches only requests that a later rule matches, too. */
const isSameCondition = (first: LintedRule, rule: LintedRule, set: LintedSet) =>
  first.meaning === rule.meaning ||
  set.isImpossible(
    all(matches(first.expression), not(matches(rule.expression))),
  );

const MAX_NAMED = 3;

function whoDecides(names: readonly string[]): string {
  if (names.length > MAX_NAMED) return "earlier rules decide";
  const [last, ...rest] = names.map((name) => `"${name}"`).reverse();
  return rest.length > 0
    ? `${rest.reverse().join(", ")} and ${last} before it decide`
    : `${last} before it decides`;
}

/**
 * The fewest earlier rules that decide every request that a rule matches; undefined if
 * that is not proven even for all earlier rules.
 */
function decidingRules(
  rule: LintedRule,
  set: LintedSet,
  earlier = set.before(rule),
  facts: readonly Condition[] = [],
): readonly LintedRule[] | undefined {
  const same = earlier.find(({ meaning }) => meaning === rule.meaning);
  if (same) return [same];
  const match =
    facts.length > 0
      ? set.findRequest(all(matches(rule.expression), ...facts))
      : rule.match;
  if (match.request) {
    const first =
      facts.length > 0
        ? firstMatching(earlier, match.request)
        : set.firstBefore(rule, match.request);
    if (!first) return undefined;
    // This rule alone may be enough.
    if (decide([first], rule, set, facts)) return [first];
  }
  return decide(earlier, rule, set, facts)
    ? neededOf(earlier, rule, set, facts)
    : undefined;
}

/** The earlier rules of the other action that decide every client which a rule matches. */
function decidingClients(rule: LintedRule, set: LintedSet) {
  const isOfPlatform = asksFor(/^sdk\.platform/m, rule);
  if (!isOfPlatform && !asksFor(/user_agent|headers/, rule)) return undefined;
  const others = set
    .before(rule)
    .filter((other) => other.isDeny !== rule.isDeny);
  const isAsked = others.some((other) =>
    asksFor(/^(?:http\.user_agent\.is|sdk)/m, other),
  );
  const facts = new Set([
    ...(isAsked ? rule.comparisons.flatMap(factsOfAgents) : []),
    ...(isOfPlatform ? [...others, rule].flatMap(factsOfApps) : []),
  ]);
  return facts.size === 0
    ? undefined
    : decidingRules(rule, set, others, [...facts].map(holdsFor));
}

/** Whether it is proven that earlier rules decide every request that a rule matches. */
function decide(
  earlier: readonly LintedRule[],
  rule: LintedRule,
  set: LintedSet,
  facts: readonly Condition[],
): boolean {
  const isLeft = all(matches(rule.expression), noneMatches(earlier), ...facts);
  const { request } = rule.match;
  const isShown = request !== undefined && meetsCondition(isLeft, request);
  return !isShown && set.isImpossible(isLeft);
}

/** The earlier rules without those that are not needed: without any of them, a request reaches the rule. */
const neededOf = (
  earlier: readonly LintedRule[],
  rule: LintedRule,
  set: LintedSet,
  facts: readonly Condition[],
): readonly LintedRule[] =>
  earlier.toReversed().reduce((needed, other) => {
    const rest = needed.filter((each) => each !== other);
    return decide(rest, rule, set, facts) ? rest : needed;
  }, earlier);

/** Finds rules whose removal would change no decision, because later rules decide the same. */
export const findChangesNothing: FindInRule = (rule, set) =>
  rule.isDeny
    ? findDenyChangesNothing(rule, set)
    : findAllowChangesNothing(rule, set);

/** Finds allow rules whose removal would change no decision. */
const findAllowChangesNothing: FindInRule = (rule, set) => {
  const later = set.after(rule);
  if (!later) return undefined;
  // A last rule `true` with allow states the default on purpose.
  const isLastWord =
    rule.expression.root.kind === "boolean" && later.length === 0;
  if (isLastWord || isOfUse(rule, later, set)) return undefined;
  const exception = exceptionBehind(rule, set);
  if (exception) return exception;
  const isAllowedBehind = set.isImpossible(
    all(matches(rule.expression), noneMatches(later)),
  );
  // If no rule denies, a rule that denies all other requests is missing.
  const isOpen =
    set.all.length < set.maxRules &&
    set.all.every((other) => other.action === "allow") &&
    !isAllowedBehind &&
    !set.matchesAlways(rule);
  const more = "deny the rest in a last rule, with the expression true";
  return {
    message: "no later rule denies what it allows, so it changes nothing",
    fix: isAllowedBehind
      ? "delete it"
      : isOpen
        ? `delete it, or ${more}`
        : `${more}, or delete it`,
    edits: [
      isOpen
        ? { kind: "add", rule: denyOfOthers(set.all) }
        : { kind: "delete" },
    ],
  };
};

/**
 * The finding that an allow rule stands behind the deny rule that it is an exception of;
 * undefined if no earlier rule denies an example.
 */
function exceptionBehind(
  rule: LintedRule,
  set: LintedSet,
): LintResult | undefined {
  // A rule that lets in almost everybody is no exception: in front, it would undo the other.
  if (rule.isMatch(EMPTY)) return undefined;
  const earlier = set.before(rule);
  const isOfClients = asksFor(/user_agent|\.ip$/m, rule);
  const firstOf = onceFor((request: RuleRequest) =>
    rule.isMatch(request) ? firstMatching(earlier, request) : undefined,
  );
  for (const before of earlier) {
    // A rule that denies the empty request may deny the example only because parts are
    // missing.
    if (!isOfClients && before.isMatch(EMPTY)) continue;
    // An allow rule for pages rather lacks a rule behind it.
    const other = isOfClients ? before : rule;
    const request = [ofBoth(rule, other), ofBoth(other, rule)].find(
      (each) => firstOf(each) === before,
    );
    if (!request || !before.isDeny) continue;
    const { name } = before.rule;
    return {
      message: `"${name}" before it denies some of what it allows, and no rule behind it denies the rest, so it changes nothing`,
      fix: `move it in front of "${name}", or delete it`,
      edits: [{ kind: "move", to: before.index }],
      request,
      others: [name],
    };
  }
  return undefined;
}

/** A rule with a new name that denies all requests that the other rules leave. */
function denyOfOthers(rules: readonly Rule[]): AddedRule {
  const names = new Set(rules.map(({ name }) => name));
  let name = "others";
  while (names.has(name)) name = `deny-${name}`;
  return { name, expression: "true", action: "deny" };
}

/** Finds deny rules whose removal would change no decision. */
const findDenyChangesNothing: FindInRule = (rule, set) => {
  const later = set.after(rule);
  const { request } = rule.match;
  if (!later || !request || later.length > MAX_SEARCHED) return undefined;
  const behind = firstMatching(later, request);
  const { denyWith } = rule.rule;
  const isSameAnswer = later.every(
    (other) => !other.isDeny || other.rule.denyWith === denyWith,
  );
  // If every request is denied, deny-all reports it.
  const mayAllow =
    behind !== set.firstCatchAll || !set.enabled.every((each) => each.isDeny);
  if (!isSameAnswer || !mayAllow || !behind?.isDeny) return undefined;
  const isNeeded = !set.isImpossible(
    all(matches(rule.expression), noneMatches(set.before(rule)), allows(later)),
  );
  // Of two rules for the same requests, the second one is unreachable.
  if (isNeeded || isSameCondition(behind, rule, set)) return undefined;
  const { name } = behind.rule;
  const isNetwork = rule.comparedAt(rule.expression.root)?.field?.type === "ip";
  const isOfAll = behind === set.firstCatchAll;
  return {
    message: `later rules deny all of its requests, too${isOfAll ? `: "${name}" denies whatever reaches it` : `, such as "${name}"`}`,
    // Any other condition may be there for the sake of the rule's name.
    severity: isNetwork && !isOfAll ? "warning" : "note",
    fix: `delete it${isOfAll ? ", or put a rule that allows behind it" : ""}`,
    edits: isOfAll ? undefined : [{ kind: "delete" }],
    request,
    others: [name],
  };
};

/** A deny rule is not compared with more later rules than this, because that would take too long. */
const MAX_SEARCHED = 200;

/**
 * A request that is like the examples of two rules, and may match both. It is the example
 * of the first one itself if that has all parts of the other, so `onceFor` knows it again.
 */
export function ofBoth(rule: LintedRule, other: LintedRule): RuleRequest {
  const [mine, its] = [rule.match.request, other.match.request];
  if (mine && hasPartsOf(mine, its) && hasPartsOf(mine.headers, its?.headers))
    return mine;
  const headers = { ...its?.headers, ...mine?.headers };
  return { ...its, ...mine, headers };
}

const hasPartsOf = (one: object, other: object = {}) =>
  Object.keys(other).every((key) => Object.hasOwn(one, key));

/** Whether there may be a request that this rule allows and a later rule would deny. */
function isOfUse(
  rule: LintedRule,
  later: readonly LintedRule[],
  set: LintedSet,
): boolean {
  const shows = onceFor(
    (request: RuleRequest) =>
      rule.isMatch(request) &&
      !isBothBots(request) &&
      set.isPast(rule, request),
  );
  const denying = later.filter(({ isDeny }) => isDeny);
  if (denying.some((deny) => shows(ofBoth(rule, deny)))) return true;
  // The last deny rule is often the widest.
  const last = denying.at(-1);
  if (!last) return false;
  const isMatched = matches(rule.expression);
  const guess = set.findRequest(all(isMatched, matches(last.expression)));
  if (guess.request && shows(guess.request)) return true;
  return !set.isImpossible(
    all(isMatched, noneMatches(set.before(rule)), not(allows(later))),
  );
}
