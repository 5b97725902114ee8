import type { TimeLimit } from "../time-limit";
import type { RuleRequest } from "../language";
import { isKnownRule, type CheckedRule, type Rule } from "../rule-set/rule";
import {
  all,
  allows,
  any,
  matches,
  meetsCondition,
  not,
  noneMatches,
  type Condition,
} from "../solver/condition";
import { findRequest, type FoundRequest } from "../solver/find-request";

/**
 * What a change of a rule set does to requests. Each of `newlyDenied` and
 * `newlyAllowed` is certain, unless its answer is "cannot tell".
 */
export interface RuleSetEffect {
  /** A request that was allowed and is denied now. */
  readonly newlyDenied: FoundRequest;
  /** A request that was denied and is allowed now. */
  readonly newlyAllowed: FoundRequest;
  /**
   * `broadens` or `narrows` what is denied and does nothing else, does `both`, or
   * `none`: no decision changes.
   */
  readonly class: "broadens" | "narrows" | "both" | "none" | "cannot tell";
}

/** An effect that is unknown. */
export const CANNOT_TELL: RuleSetEffect = {
  newlyDenied: { answer: "cannot tell" },
  newlyAllowed: { answer: "cannot tell" },
  class: "cannot tell",
};

/** An effect with its class. */
export function effectOf(
  newlyDenied: FoundRequest,
  newlyAllowed: FoundRequest,
): RuleSetEffect {
  return {
    newlyDenied,
    newlyAllowed,
    class: classOf(newlyDenied.answer, newlyAllowed.answer),
  };
}

function classOf(
  denied: FoundRequest["answer"],
  allowed: FoundRequest["answer"],
): RuleSetEffect["class"] {
  if (denied === "cannot tell" || allowed === "cannot tell")
    return "cannot tell";
  if (denied === "found") return allowed === "found" ? "both" : "broadens";
  return allowed === "found" ? "narrows" : "none";
}

/**
 * A rule that a step puts before other rules (`came`) or removes there (`went`). The
 * step changes the decision about a request that reaches the rule, matches it, and gets
 * the opposite decision from the rules after it.
 */
interface MovedRule {
  readonly rule: ReadRule;
  readonly ahead: readonly ReadRule[];
  readonly behind: readonly ReadRule[];
  readonly kind: "came" | "went";
  /** The rule that stands in its place on the other side, if the step edits a rule. */
  readonly counterpart?: ReadRule;
}

/**
 * What one step does to requests. The two lists of enabled rules differ only in
 * the rule of this name.
 * @param samples requests that are tried before a search
 */
export function stepEffect(
  name: string,
  before: readonly ReadRule[],
  after: readonly ReadRule[],
  time: TimeLimit,
  samples: readonly RuleRequest[] = [],
): RuleSetEffect {
  const moves = movesOf(name, before, after);
  const half = (came: Rule["action"], went: Rule["action"]) =>
    requestFor(
      moves.filter(({ rule, kind }) => {
        // An unknown action may be allow or deny, and a rule with an unknown status may
        // be enabled or not.
        if (!isKnownRule(rule.rule)) return true;
        return rule.rule.action !== (kind === "came" ? went : came);
      }),
      samples,
      time,
    );
  return effectOf(half("deny", "allow"), half("allow", "deny"));
}

/**
 * The places that a step changes. A rule that moves down counts only at its old place,
 * and a rule that moves up only at its new place, because both places give the same
 * requests.
 */
function movesOf(
  name: string,
  before: readonly ReadRule[],
  after: readonly ReadRule[],
): MovedRule[] {
  const from = before.findIndex(({ rule }) => rule.name === name);
  const to = after.findIndex(({ rule }) => rule.name === name);
  const [old, now] = [before[from], after[to]];
  if (old && now && from === to && isSameDecision(old, now)) return [];
  const moves: MovedRule[] = [];
  const isEdited = from === to;
  if (old && (!now || from <= to))
    moves.push({
      rule: old,
      ahead: before.slice(0, from),
      behind: upTo(old, after.slice(from)),
      kind: "went",
      counterpart: isEdited ? now : undefined,
    });
  if (now && (!old || to <= from))
    moves.push({
      rule: now,
      ahead: after.slice(0, to),
      behind: upTo(now, before.slice(to)),
      kind: "came",
      counterpart: isEdited ? old : undefined,
    });
  return moves;
}

/** The rules that can decide a request which matches `self`: no rule after `self` can. */
function upTo(self: ReadRule, rules: readonly ReadRule[]): readonly ReadRule[] {
  const place = rules.findIndex(({ rule }) => rule === self.rule);
  return place < 0 ? rules : rules.slice(0, place + 1);
}

function requestFor(
  moves: readonly MovedRule[],
  samples: readonly RuleRequest[],
  time: TimeLimit,
): FoundRequest {
  if (moves.length === 0) return { answer: "none" };
  const isKnown = moves.every(({ rule, ahead, behind }) =>
    [rule, ...ahead, ...behind].every(isReadable),
  );
  // A request without regard to the other rules is found much faster, and mostly reaches
  // the rule. A rule in front that decides it is regarded in the next search. Where
  // there is no such request, no request changes.
  const ofRules = any(...moves.map(aloneOf));
  const condition = any(...moves.map(conditionOf));
  const isFound = (request: RuleRequest) =>
    isKnown &&
    meetsCondition(ofRules, request) &&
    meetsCondition(condition, request);
  const sample = samples.find(isFound);
  if (sample) return { answer: "found", request: sample };
  const wanted = [ofRules];
  for (let i = 0; i < MOST_REGARDED; i++) {
    const alone = findRequest(all(...wanted), time);
    if (alone.answer === "none") return alone;
    if (alone.answer !== "found") break;
    if (isFound(alone.request)) return alone;
    const decides = moves[1]
      ? undefined
      : firstIn(moves[0]?.ahead, alone.request);
    if (!decides) break;
    wanted.push(not(matches(decides.expression)));
  }
  // The last rule with the other action is often the widest that decides otherwise.
  const last = moves
    .flatMap(({ rule, behind }) =>
      behind.filter(isReadable).filter((other) => isOpposite(rule, other)),
    )
    .at(-1);
  const guess = last
    ? findRequest(all(...wanted, matches(last.expression)), time)
    : undefined;
  if (guess?.answer === "found" && isFound(guess.request)) return guess;
  const found = findRequest(condition, time);
  return isKnown || found.answer === "none" ? found : { answer: "cannot tell" };
}

/** So many rules in front of a rule are regarded one by one. With more of them, all are. */
const MOST_REGARDED = 6;

/** Whether two rules are known to decide a request differently. */
const isOpposite = (one: ReadRule, other: ReadRule) =>
  other.rule.status === "enabled" && other.rule.action !== one.rule.action;

/** The first of some rules that matches a request. */
const firstIn = (rules: readonly ReadRule[] = [], request: RuleRequest) =>
  rules
    .filter(isReadable)
    .find(
      ({ rule, expression }) =>
        rule.status === "enabled" &&
        meetsCondition(matches(expression), request),
    );

/**
 * The condition for the requests whose decision a move changes. A rule with a mistake
 * may match anything, so the condition covers too many requests then; a proof that no
 * request meets it is still valid.
 */
function conditionOf({ rule, ahead, behind }: MovedRule): Condition {
  const reached = noneMatches(ahead.filter(isReadable));
  if (!isReadable(rule)) return reached;
  const matched = all(matches(rule.expression), reached);
  if (!behind.every(isReadable)) return matched;
  const isDeny = rule.rule.action === "deny";
  return all(matched, isDeny ? allows(behind) : not(allows(behind)));
}

/**
 * Holds wherever `conditionOf` does, and mentions the rule and its counterpart only: a
 * request that both match with the same action is decided as before.
 */
function aloneOf({ rule, counterpart }: MovedRule): Condition {
  if (!isReadable(rule)) return all();
  const matched = matches(rule.expression);
  const isSameAction =
    counterpart?.rule.status === "enabled" &&
    counterpart.rule.action === rule.rule.action;
  return isSameAction && isReadable(counterpart)
    ? all(matched, not(matches(counterpart.expression)))
    : matched;
}

/**
 * The effect of all steps from one list of enabled rules to another.
 */
export function totalEffect(
  before: readonly ReadRule[],
  after: readonly ReadRule[],
  steps: readonly RuleSetEffect[],
  time: TimeLimit,
): RuleSetEffect {
  const denied = steps.map(({ newlyDenied }) => newlyDenied);
  const allowed = steps.map(({ newlyAllowed }) => newlyAllowed);
  return effectOf(
    together(before, after, denied, time),
    together(after, before, allowed, time),
  );
}

/**
 * A request that one list allows and the other denies. `steps` has the answer of each
 * single step.
 */
function together(
  allowing: readonly ReadRule[],
  denying: readonly ReadRule[],
  steps: readonly FoundRequest[],
  time: TimeLimit,
): FoundRequest {
  // If no single step has this effect on any request, all steps together have it on
  // none.
  if (steps.every(({ answer }) => answer === "none")) return { answer: "none" };
  if (!allowing.every(isReadable) || !denying.every(isReadable))
    return { answer: "cannot tell" };
  const common = commonBeginning(allowing, denying);
  const wanted = all(
    noneMatches(allowing.slice(0, common)),
    allows(allowing.slice(common)),
    not(allows(denying.slice(common))),
  );
  const shown = steps.find(
    (step) => step.answer === "found" && meetsCondition(wanted, step.request),
  );
  return shown ?? findRequest(wanted, time);
}

/** How many rules at the beginning of both lists are the same. */
function commonBeginning(
  one: readonly ReadRule[],
  other: readonly ReadRule[],
): number {
  const differs = one.findIndex((rule, i) => {
    const counterpart = other[i];
    return !counterpart || !isSameDecision(rule, counterpart);
  });
  return differs < 0 ? one.length : differs;
}

/**
 * A rule with its checked expression. The expression is undefined if it is unknown what
 * the rule does: the expression has a mistake, or the service has an action or a status
 * that this version does not know.
 */
export interface ReadRule {
  readonly rule: Rule;
  readonly expression: CheckedRule["expression"] | undefined;
}

/** Whether it is known what a rule does. */
export function isReadable(rule: ReadRule): rule is CheckedRule {
  return rule.expression !== undefined;
}

/** Whether two rules have the same action and status, and expressions that mean the same. */
export function isSameDecision(one: ReadRule, other: ReadRule): boolean {
  return (
    one.rule.action === other.rule.action &&
    one.rule.status === other.rule.status &&
    one.expression === other.expression &&
    (isReadable(one) || one.rule.expression === other.rule.expression)
  );
}
