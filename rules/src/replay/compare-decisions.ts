import type { Budget } from "../budget";
import { longestIncreasing } from "../diff/list-edits";
import { RuleSetDiffs } from "../diff/diff-rules";
import { RuleExpressions } from "../diff/rule-expressions";
import type { CheckedExpression, PartialRuleRequest } from "../language";
import { isKnownRule, type Rule } from "../rule-set/rule";
import type { Outcomes } from "./impact";
import {
  lastAction,
  matchOf,
  mayBeEnabled,
  possibleActions,
  uncertainMatch,
  walkResult,
  ruleWalk,
  type Match,
  type MatchingRule,
  type RuleWalk,
} from "./rule-walk";

/** How the expressions of rules are read, and what says whether they match a request. */
export interface AskedExpressions {
  readonly expressions: RuleExpressions;
  readonly matchOf: (expression: CheckedExpression) => Match;
}

/** What two rule sets decide about one request. */
export interface Comparison {
  /** `cannotTell` where several are possible. */
  readonly outcome: keyof Outcomes;
  /** The outcomes that are possible, depending on what is unknown; never `cannotTell`. */
  readonly possible: ReadonlySet<keyof Outcomes>;
  readonly before: RuleWalk;
  readonly after: RuleWalk;
  /**
   * What is unknown and leaves open whether the two sets differ; empty where the
   * outcome is known. These are the parts that changed rules read. Only if they
   * read no unknown part are they those that rules of both sets read.
   */
  readonly missing: ReadonlySet<string>;
}

/**
 * Makes the function that puts a request to two rule sets at once. What is
 * unknown of the request is the same for both sets. So a rule that may match
 * and stands in both does not leave the outcome open. Neither does an outcome
 * in `impossible`, which is proven to be that of no request. An expression with
 * a mistake may match any request.
 * @param budget what the work is taken from; left out, there is no limit. The
 * function throws `BudgetSpentError`.
 * @param asked how expressions are read, and what asks them; left out, the evaluator does
 */
export function decisionComparison(
  inForce: readonly Rule[],
  proposed: readonly Rule[],
  impossible: ReadonlySet<keyof Outcomes>,
  budget?: Budget,
  asked: AskedExpressions = {
    expressions: new RuleExpressions(budget),
    matchOf: (expression) => matchOf(expression, budget),
  },
): (request: PartialRuleRequest) => Comparison {
  const matches = new Matches(asked, budget);
  const matching = (rules: readonly Rule[]) =>
    rules.map((rule) => ({ rule, match: matches.of(rule) }));
  const [before, after] = [matching(inForce), matching(proposed)];
  const isChanged = changedRules(before, after);
  const walkBefore = ruleWalk(before, budget);
  const walkAfter = ruleWalk(after, budget);
  return (request) => {
    const before = walkBefore(request);
    const after = walkAfter(request);
    const possible = possibleOutcomes(before, after, impossible, budget);
    const [only = "unchanged", ...others] = possible;
    const outcome = others.length > 0 ? "cannotTell" : only;
    return {
      outcome,
      possible,
      before,
      after,
      missing: missingIn(outcome, [before, after], isChanged),
    };
  };
}

function missingIn(
  outcome: keyof Outcomes,
  walks: readonly RuleWalk[],
  isChanged: (rule: Rule) => boolean,
): ReadonlySet<string> {
  if (outcome !== "cannotTell") return NOTHING;
  const open = walks
    .filter((walk) => walkResult(walk) === "cannot tell")
    .flatMap((walk) => walk.open);
  const changed = open.filter(({ rule }) => isChanged(rule));
  const decisive = changed.length > 0 ? changed : open;
  return new Set(decisive.flatMap(({ unknown }) => unknown));
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Finds the enabled rules that are in only one of two sets, or that moved. Rules
 * are the same if they have the same action and match the same requests,
 * whatever their names are.
 */
function changedRules(
  before: readonly MatchingRule[],
  after: readonly MatchingRule[],
): (rule: Rule) => boolean {
  const enabled = (rules: readonly MatchingRule[]) =>
    rules.filter(mayBeEnabled);
  const [was, is] = [enabled(before), enabled(after)];
  const keys = new Map<Match, number>();
  const keyOf = ({ rule, match }: MatchingRule) => {
    const key = keys.get(match) ?? keys.size;
    keys.set(match, key);
    return `${key} ${rule.action}`;
  };
  const places = new Map<string, number[]>();
  was.forEach((rule, place) => {
    const key = keyOf(rule);
    places.set(key, [...(places.get(key) ?? []), place]);
  });
  const common = is.flatMap((rule) => {
    const from = places.get(keyOf(rule))?.shift();
    return from === undefined ? [] : [{ rule, from }];
  });
  const kept = longestIncreasing(common.map(({ from }) => from)).map(
    (place) => common[place],
  );
  const same = new Set(
    kept.flatMap((one) => (one ? [one.rule.rule, was[one.from]?.rule] : [])),
  );
  return (rule) => !same.has(rule);
}

/** Makes one match function for all expressions that mean the same. */
class Matches {
  readonly #known = new Map<CheckedExpression | string, Match>();
  readonly #uncertain = new Map<string, Match>();

  constructor(
    private readonly asked: AskedExpressions,
    private readonly budget?: Budget,
  ) {}

  of(rule: Rule): Match {
    const match = this.#ofExpression(rule);
    if (isKnownRule(rule)) return match;
    // Two rules that are written alike do the same, whatever that is.
    const key = JSON.stringify([rule.expression, rule.action, rule.status]);
    const uncertain = this.#uncertain.get(key) ?? uncertainMatch(rule, match);
    this.#uncertain.set(key, uncertain);
    return uncertain;
  }

  #ofExpression({ name, expression }: Rule): Match {
    const check = () => this.asked.expressions.checked(expression);
    const checked = this.budget ? this.budget.attempt(check) : check();
    const key = checked ?? expression;
    const known = this.#known.get(key);
    if (known) return known;
    const unreadable = { unknown: [`the expression of rule "${name}"`] };
    const match = checked ? this.asked.matchOf(checked) : () => unreadable;
    this.#known.set(key, match);
    return match;
  }
}

/** Every outcome that is possible, going through what the open rules may say. */
function possibleOutcomes(
  before: RuleWalk,
  after: RuleWalk,
  impossible: ReadonlySet<keyof Outcomes>,
  budget?: Budget,
): ReadonlySet<keyof Outcomes> {
  const outcomes = new Set<keyof Outcomes>();
  const passed = new Set<Match>();
  // The open rules of `after` up to here are passed: in two sets in the same order, that is all there is to skip.
  let skipped = 0;
  const add = (decided: Rule["action"], matching?: Match) => {
    for (
      let next = after.open[skipped];
      next && passed.has(next.match);
      next = after.open[skipped]
    )
      skipped++;
    const asked = { from: skipped, passed, matching, decided, budget };
    const found = actionsOf(after, asked);
    for (const action of found) outcomes.add(change(decided, action));
  };
  for (const { rule, match } of before.open) {
    for (const action of possibleActions(rule)) add(action, match);
    passed.add(match);
    if (outcomes.size === OUTCOMES) break;
  }
  if (outcomes.size < OUTCOMES) add(lastAction(before));
  if (outcomes.size > 1)
    for (const outcome of impossible) outcomes.delete(outcome);
  return outcomes;
}

/** How many outcomes are possible at most: unchanged, newly denied, newly allowed. */
const OUTCOMES = 3;

/**
 * What a set may decide when the expressions in `passed` do not match and
 * `matching` does, whose rule has `decided`; the open rules in front of `from` are passed.
 */
function actionsOf(
  walk: RuleWalk,
  {
    from,
    passed,
    matching,
    decided,
    budget,
  }: {
    readonly from: number;
    readonly passed: ReadonlySet<Match>;
    readonly matching: Match | undefined;
    readonly decided: "allow" | "deny";
    readonly budget: Budget | undefined;
  },
): Set<"allow" | "deny"> {
  const actions = new Set<"allow" | "deny">();
  for (let place = from; place < walk.open.length; place++) {
    const open = walk.open[place];
    budget?.spend();
    if (!open || passed.has(open.match)) continue;
    const possible = possibleActions(open.rule);
    // Whatever a rule does that both sets have, it does the same in both.
    const isSame = open.match === matching && possible.length > 1;
    const does = isSame ? [decided] : possible;
    for (const action of does) actions.add(action);
    if (open.match === matching || actions.size === 2) return actions;
  }
  return actions.add(lastAction(walk));
}

function change(
  before: "allow" | "deny",
  after: "allow" | "deny",
): keyof Outcomes {
  if (before === after) return "unchanged";
  return after === "deny" ? "newlyDenied" : "newlyAllowed";
}

/** In milliseconds. An outcome that is not proven impossible by then is counted. */
const PROOF_BUDGET_MS = 1_000;

/**
 * What proposed rules are proven to do to no request at all, so to no event:
 * `newlyDenied`, `newlyAllowed`, both or neither. It takes about a second at
 * most, or no time where `diffs` knows the two sets.
 */
export function impossibleOutcomes(
  inForce: readonly Rule[],
  proposed: readonly Rule[],
  diffs = new RuleSetDiffs(),
  budget?: Budget,
): ReadonlySet<keyof Outcomes> {
  const { effect } = diffs.between(inForce, proposed, {
    withinMs: PROOF_BUDGET_MS,
    budget: budget?.part(Math.min(PROOF_BUDGET_MS, budget.leftMs / 4)),
  });
  const outcomes = ["newlyDenied", "newlyAllowed"] as const;
  return new Set(
    outcomes.filter((outcome) => effect[outcome].answer === "none"),
  );
}
