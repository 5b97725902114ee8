import { Budget } from "../../budget";
import {
  compileExpression,
  type CompiledExpression,
} from "../../eval/compile-expression";
import {
  checkExpression,
  postOrder,
  type IpNetwork,
  type CheckedExpression,
  type RuleRequest,
} from "../../language";
import { keyOf } from "../../core/core";
import { coreOf } from "../../core/lower";
import { partsOf } from "../../eval/part";
import { isBothBots } from "../../language/request/bot-flags";
import { comparisonsOf, type TextComparison } from "./comparison";
import { guessedRequest } from "./guessed-request";
import { networkTest } from "./network-test";
import type { RefusedRule } from "../../rule-set/evaluate-rule-set";
import type { CheckedRule, Rule } from "../../rule-set/rule";
import {
  matches,
  meetsCondition,
  not,
  type Condition,
} from "../../solver/condition";
import { findRequest, type FoundRequest } from "../../solver/find-request";

/**
 * The account's limit of rules, as far as it is known (docs/contract.md, "Account
 * limits").
 */
export const DEFAULT_MAX_RULES = 15;

/** A request without anything. */
export const EMPTY: RuleRequest = { headers: {} };

/** Options of lint. */
export interface LintOptions {
  /** The account's limit of rules. Default: 15. */
  readonly maxRules?: number;
  /** Milliseconds of processor time after which lint ends. Default: 10,000. */
  readonly withinMs?: number;
  /** The budget of the caller. If given, lint has no time limit of its own. */
  readonly budget?: Budget;
  /** Another version of the set. What is known of an expression in it is not calculated again. */
  readonly like?: LintedSet;
}

export const DEFAULT_WITHIN_MS = 10_000;

/**
 * A rule set as the lints see it. Each expression is checked once, and all
 * lints share one time limit.
 */
export class LintedSet {
  /** The rules whose expression has no mistake. */
  readonly rules: readonly LintedRule[];
  /** The other rules; only their actions are known. */
  readonly refused: readonly RefusedRule[];
  /** The enabled ones among `rules`. */
  readonly enabled: readonly LintedRule[];
  readonly maxRules: number;
  /** The budget of all lints. */
  readonly budget: Budget;
  /** The time limit of all lints, in milliseconds. */
  readonly limitMs: number;
  /** Whether a check was left out because the time was over. */
  isOutOfTime = false;
  #firstCatchAll: LintedRule | undefined | null = null;

  constructor(
    /** All rules, as they were given. */
    readonly all: readonly Rule[],
    {
      maxRules = DEFAULT_MAX_RULES,
      withinMs = DEFAULT_WITHIN_MS,
      budget = new Budget(withinMs),
      like,
    }: LintOptions = {},
  ) {
    this.maxRules = maxRules;
    this.limitMs = budget.limitMs;
    const beforeMs = budget.leftMs;
    const rules: LintedRule[] = [];
    const refused: RefusedRule[] = [];
    const known = new Map(
      like?.rules.map((rule) => [rule.rule.expression, rule]),
    );
    for (const [index, rule] of all.entries()) {
      const same = known.get(rule.expression);
      if (same) {
        rules.push(new LintedRule(rule, index, same.expression, this, same));
        continue;
      }
      const checked = checkExpression(rule.expression);
      if (checked.ok)
        rules.push(new LintedRule(rule, index, checked.expression, this));
      else refused.push({ rule, index, problems: checked.problems });
    }
    // Checks without a search are always made: they take about as long as parsing the
    // rules.
    const { leftMs } = budget;
    const takenMs = leftMs === Infinity ? 0 : beforeMs - leftMs;
    this.#readMs = Math.max(like ? like.#readMs : 0, takenMs);
    const keptMs = Math.max(0, Math.min(leftMs / 4, this.#readMs));
    this.budget = leftMs === Infinity ? budget : budget.part(leftMs - keptMs);
    this.rules = rules;
    for (const rule of rules) this.#at.set(rule.index, rule);
    this.refused = refused;
    this.enabled = rules.filter(({ rule }) => rule.status === "enabled");
    const unknown = refused.filter(({ rule }) => rule.status === "enabled");
    this.#firstUnknown = unknown[0]?.index ?? Infinity;
    this.#lastUnknown = unknown.at(-1)?.index ?? -1;
    let places = 0;
    this.#places = all.map((_, index) => {
      const place = places;
      if (this.enabled[places]?.index === index) places++;
      return place;
    });
    for (const rule of this.enabled)
      if (!this.#firstWith.has(rule.meaning))
        this.#firstWith.set(rule.meaning, rule);
  }

  /** How long it took to read all expressions, in milliseconds. */
  readonly #readMs: number;
  /** Places of the first and the last enabled rule with a mistake. */
  readonly #firstUnknown: number;
  readonly #lastUnknown: number;
  /** For each rule, how many enabled rules are in front of it. */
  readonly #places: readonly number[];
  readonly #at = new Map<number, LintedRule>();
  readonly #firstWith = new Map<string, LintedRule>();
  #denies: readonly LintedRule[] | undefined;

  /** The rule at a place, from 0; undefined for one with a mistake. */
  at(place: number): LintedRule | undefined {
    return this.#at.get(place);
  }

  /** The enabled rules in front of a rule. */
  before({ index }: LintedRule): readonly LintedRule[] {
    return this.enabled.slice(0, this.#places[index]);
  }

  /** Whether an enabled rule with a mistake stands in front of a rule. */
  isUnknownBefore({ index }: LintedRule): boolean {
    return this.#firstUnknown < index;
  }

  /** The enabled rules behind a rule; undefined if one of them has a mistake. */
  after({ index }: LintedRule): readonly LintedRule[] | undefined {
    if (this.#lastUnknown > index) return undefined;
    const place = this.#places[index] ?? 0;
    const isHere = this.enabled[place]?.index === index;
    return this.enabled.slice(isHere ? place + 1 : place);
  }

  /** The first enabled rule with the same normalised expression. */
  firstWith({ meaning }: LintedRule): LintedRule | undefined {
    return this.#firstWith.get(meaning);
  }

  /** The first enabled rule that matches every request. */
  get firstCatchAll(): LintedRule | undefined {
    if (this.#firstCatchAll === null)
      this.#firstCatchAll = this.enabled.find((rule) =>
        this.matchesAlways(rule),
      );
    return this.#firstCatchAll;
  }

  /**
   * Looks for a request that meets a condition. Once the time is over, the
   * answer is "cannot tell".
   */
  findRequest(condition: Condition): FoundRequest {
    const found = findRequest(condition, this.budget);
    if (found.answer === "cannot tell" && this.budget.isSpent)
      this.isOutOfTime = true;
    return found;
  }

  /**
   * Whether it is proven that no request meets a condition. `make` is called only if
   * there is time.
   * @throws BudgetSpentError
   */
  isImpossible(make: () => Condition): boolean {
    this.budget.spend(this.all.length / RULES_PER_UNIT);
    const condition = make();
    return (
      !meetsCondition(condition, EMPTY, this.budget) &&
      this.findRequest(condition).answer === "none"
    );
  }

  /**
   * The first of some enabled rules, which are in order, that matches a request.
   * @throws BudgetSpentError
   */
  firstMatching(
    rules: readonly LintedRule[],
    request: RuleRequest,
  ): LintedRule | undefined {
    for (const rule of rules) {
      this.budget.spend(1 + rule.nodes.length / NODES_PER_UNIT);
      if (rule.isMatch(request)) return rule;
    }
    return undefined;
  }

  /**
   * Requests that a rule matches, without another search: its example match, and that
   * request combined with what the last deny rule of each kind needs. Rules are of one
   * kind if they read the same parts of a request.
   */
  *requestsOf(rule: LintedRule): Iterable<RuleRequest> {
    const { match } = rule;
    if (match.answer !== "found") return;
    yield match.request;
    for (const deny of this.#lastDenies) {
      if (deny.index < rule.index) continue;
      const { match: other } = deny;
      if (other.answer !== "found") continue;
      const both = joined(match.request, other.request);
      this.budget.spend(1 + rule.nodes.length / NODES_PER_UNIT);
      if (both && rule.isMatch(both) && deny.isMatch(both)) yield both;
    }
  }

  /**
   * The last deny rule of each kind, from the end of the set; only a few, because each
   * is tried for each rule.
   */
  get #lastDenies(): readonly LintedRule[] {
    this.#denies ??= [
      ...new Map(
        this.enabled
          .filter(({ rule }) => rule.action === "deny")
          .map((rule) => {
            this.budget.spend(rule.nodes.length);
            return [partsRead(rule), rule];
          }),
      ).values(),
    ]
      .sort((a, b) => b.index - a.index)
      .slice(0, MOST_KINDS);
    return this.#denies;
  }

  /** Whether it is proven that a rule matches every request. */
  matchesAlways({ expression }: LintedRule): boolean {
    return this.isImpossible(() => not(matches(expression)));
  }
}

/** The work of guessing a request for a node, in units of a budget. */
const WORK_OF_GUESS = 20;
/** How many nodes are evaluated in a unit of a budget. */
const NODES_PER_UNIT = 10;

/** Rules that become a condition in a unit of a budget. */
const RULES_PER_UNIT = 10;

/** The work of checking a text by all lints of values, in units of a budget. */
const WORK_OF_TEXT = 10;

/** The number of kinds of rules whose needs are tried. */
const MOST_KINDS = 12;

/** A request that combines two requests; undefined if they contradict each other. */
function joined(one: RuleRequest, other: RuleRequest): RuleRequest | undefined {
  const both = {
    ...other,
    ...one,
    headers: { ...other.headers, ...one.headers },
  };
  return isBothBots(both) ? undefined : both;
}

/** The parts of a request that a rule reads. */
function partsRead({ expression }: LintedRule): string {
  const parts = partsOf(coreOf(expression)).map(({ name }) => name);
  return parts.sort().join();
}

/** A node of an expression, and the list whose elements `#` stands for there. */
export type Visit = ReturnType<typeof postOrder>[number];

/** A rule without a mistake, with facts that several lints need. */
export class LintedRule implements CheckedRule {
  /** Every node of the expression, children before their parent. */
  readonly nodes: readonly Visit[];
  /** A text that is equal for two rules only if they match the same requests. */
  readonly meaning: string;
  /** The network that the rule matches, if it has no other condition. */
  readonly network: IpNetwork | undefined;
  #compiled: CompiledExpression | undefined;
  #match: FoundRequest | undefined;
  #comparisons: readonly TextComparison[] | undefined;

  constructor(
    readonly rule: Rule,
    /** Place in the set, from 0. */
    readonly index: number,
    readonly expression: CheckedExpression,
    private readonly set: Pick<
      LintedSet,
      "budget" | "findRequest" | "isOutOfTime"
    >,
    /** A rule with the same expression. Facts that depend only on the expression are taken from it. */
    same?: LintedRule,
  ) {
    const { root } = expression;
    this.nodes = same?.nodes ?? postOrder(root);
    this.meaning = same?.meaning ?? keyOf(coreOf(expression));
    const test = networkTest(root);
    this.network = test && !test.negated ? test.network : undefined;
    if (!same) return;
    this.#match = same.#match;
    this.#comparisons = same.#comparisons;
  }

  /** The texts that parts of a request are compared with. */
  get comparisons(): readonly TextComparison[] {
    const { budget } = this.set;
    if (!this.#comparisons) budget.spend(this.nodes.length);
    this.#comparisons ??= comparisonsOf(this.nodes, this.expression);
    // Callers visit every text.
    budget.spend(this.#comparisons.length * WORK_OF_TEXT);
    return this.#comparisons;
  }

  /** Whether the rule matches a request. */
  isMatch(request: RuleRequest): boolean {
    this.#compiled ??= compileExpression(this.expression);
    const result = this.#compiled.evaluate(request);
    return "value" in result && result.value;
  }

  /** A request that the rule matches. */
  get match(): FoundRequest {
    if (this.#match) return this.#match;
    this.set.budget.spend(this.nodes.length * WORK_OF_GUESS);
    const request = guessedRequest(coreOf(this.expression));
    if (!isBothBots(request) && this.isMatch(request))
      return (this.#match = { answer: "found", request });
    const found = this.set.findRequest(matches(this.expression));
    // If the time is over, the result may be incomplete and is not kept.
    if (!this.set.isOutOfTime) this.#match = found;
    return found;
  }
}
