import {
  longestIncreasing,
  RuleExpressions,
  lastAction,
  matchOf,
  matchOfRule,
  mayBeEnabled,
  possibleActions,
  walkResult,
  ruleWalk,
  type Match,
  type MatchingRule,
  type RuleWalk,
} from "@devid/rules/internals";
import { diffRules, type Rule } from "@devid/rules";
import type {
  CheckedExpression,
  PartialRuleRequest,
} from "@devid/rules/language";
import { CHANGED_OUTCOMES, type Outcomes } from "./impact";

/** What two rule sets decide about one request. */
export interface Comparison {
  /** `cannotTell` if several are possible. */
  readonly outcome: keyof Outcomes;
  /** The outcomes that are possible, depending on unknown parts; never `cannotTell`. */
  readonly possible: ReadonlySet<keyof Outcomes>;
  readonly before: RuleWalk;
  readonly after: RuleWalk;
  /**
   * The unknown parts of the request that the outcome depends on; empty if the outcome
   * is known. They are the unknown parts that changed rules read or, if changed rules
   * read none, those that rules of both sets read.
   */
  readonly missing: ReadonlySet<string>;
}

/**
 * Makes the function that compares the decisions of two rule sets about a request.
 * Unknown parts of the request are the same for both sets. So a rule of both sets that
 * may match does not make the outcome uncertain. An outcome in `impossible` is proven
 * to occur for no request, and does not count. An expression with a mistake may match
 * any request.
 */
export function decisionComparison(
  inForce: readonly Rule[],
  proposed: readonly Rule[],
  impossible: ReadonlySet<keyof Outcomes>,
  expressions = new RuleExpressions(),
): (request: PartialRuleRequest) => Comparison {
  const matches = new Matches(expressions);
  const matching = (rules: readonly Rule[]) =>
    rules.map((rule) => ({ rule, match: matches.of(rule) }));
  const [before, after] = [matching(inForce), matching(proposed)];
  const isChanged = changedRules(before, after);
  const walkBefore = ruleWalk(before);
  const walkAfter = ruleWalk(after);
  return (request) => {
    const before = walkBefore(request);
    const after = walkAfter(request);
    const possible = possibleOutcomes(before, after, impossible);
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
  const undetermined = walks
    .filter((walk) => walkResult(walk) === "cannot tell")
    .flatMap((walk) => walk.undetermined);
  const changed = undetermined.filter(({ rule }) => isChanged(rule));
  const decisive = changed.length > 0 ? changed : undetermined;
  return new Set(decisive.flatMap(({ unknown }) => unknown));
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Finds the enabled rules that are in only one of two sets, or that moved. Rules
 * are the same if they have the same action and match the same requests,
 * whatever their names are.
 */
export function changedRules(
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
  readonly #ofRules = new Map<string, Match>();

  constructor(private readonly expressions: RuleExpressions) {}

  of(rule: Rule): Match {
    // Rules with equal texts have the same effect, even if the effect is unknown.
    const key = JSON.stringify([rule.expression, rule.action, rule.status]);
    const known = this.#ofRules.get(key);
    if (known) return known;
    const match = matchOfRule(rule, this.#ofExpression(rule));
    this.#ofRules.set(key, match);
    return match;
  }

  #ofExpression({ name, expression }: Rule): Match {
    const checked = this.expressions.checked(expression);
    const key = checked ?? expression;
    const known = this.#known.get(key);
    if (known) return known;
    const unreadable = { unknown: [`the expression of rule "${name}"`] };
    const match = checked ? matchOf(checked) : () => unreadable;
    this.#known.set(key, match);
    return match;
  }
}

/** Every possible outcome, for all results of the undetermined rules. */
function possibleOutcomes(
  before: RuleWalk,
  after: RuleWalk,
  impossible: ReadonlySet<keyof Outcomes>,
): ReadonlySet<keyof Outcomes> {
  const outcomes = new Set<keyof Outcomes>();
  const passed = new Set<Match>();
  // Undetermined rules of `after` before this index are skipped. If both sets have the
  // same order, no other rules need to be skipped.
  let skipped = 0;
  const add = (decided: Rule["action"], matching?: Match) => {
    for (
      let next = after.undetermined[skipped];
      next && passed.has(next.match);
      next = after.undetermined[skipped]
    )
      skipped++;
    const asked = { from: skipped, passed, matching, decided };
    const found = actionsOf(after, asked);
    for (const action of found) outcomes.add(change(decided, action));
  };
  for (const { rule, match } of before.undetermined) {
    for (const action of possibleActions(rule)) add(action, match);
    passed.add(match);
    if (outcomes.size === OUTCOMES) break;
  }
  if (outcomes.size < OUTCOMES) add(lastAction(before));
  if (outcomes.size > 1)
    for (const outcome of impossible) outcomes.delete(outcome);
  return outcomes;
}

/** The number of outcomes: unchanged, newly denied, newly allowed. */
const OUTCOMES = 3;

/**
 * The possible actions of a set if the expressions in `passed` do not match, and
 * `matching`, whose rule has `decided`, does. Undetermined rules before `from` are
 * skipped.
 */
function actionsOf(
  walk: RuleWalk,
  {
    from,
    passed,
    matching,
    decided,
  }: {
    readonly from: number;
    readonly passed: ReadonlySet<Match>;
    readonly matching: Match | undefined;
    readonly decided: "allow" | "deny";
  },
): Set<"allow" | "deny"> {
  const actions = new Set<"allow" | "deny">();
  for (let place = from; place < walk.undetermined.length; place++) {
    const one = walk.undetermined[place];
    if (!one || passed.has(one.match)) continue;
    const possible = possibleActions(one.rule);
    // A rule of both sets has the same result in both.
    const isSame = one.match === matching && possible.length > 1;
    const does = isSame ? [decided] : possible;
    for (const action of does) actions.add(action);
    if (one.match === matching || actions.size === 2) return actions;
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

/** In milliseconds. After that time, an outcome counts as possible. */
const PROOF_MS = 1_000;

/**
 * The outcomes that are proven to occur for no request, and so for no event:
 * `newlyDenied`, `newlyAllowed`, both or neither. It takes about a second at most, or
 * no time if the two sets were compared before.
 */
export function impossibleOutcomes(
  inForce: readonly Rule[],
  proposed: readonly Rule[],
): ReadonlySet<keyof Outcomes> {
  const { effect } = diffRules(inForce, proposed, { withinMs: PROOF_MS });
  return new Set(
    CHANGED_OUTCOMES.filter((outcome) => effect[outcome].answer === "none"),
  );
}
