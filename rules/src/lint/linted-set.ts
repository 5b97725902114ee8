import { Budget } from "../budget";
import {
  checkExpression,
  postOrder,
  type IpNetwork,
  type CheckedExpression,
  type RuleRequest,
} from "../language";
import { optimise } from "../language/eval/optimise";
import { canonicalText } from "../language/syntax/print-expression";
import { networkTest } from "./network-test";
import type { RefusedRule } from "../rule-set/evaluate-rule-set";
import type { Rule } from "../rule-set/rule";
import {
  matches,
  meetsCondition,
  not,
  resultOf,
  type CheckedRule,
  type Condition,
} from "../solver/condition";
import { findRequest, type FoundRequest } from "../solver/find-request";

/**
 * The number of rules an account has room for, as far as is known
 * (docs/contract.md, "Account limits").
 */
export const DEFAULT_MAX_RULES = 15;

/** Options of lint. */
export interface LintOptions {
  /** Rules that the account has room for. Default: 15. */
  readonly maxRules?: number;
  /**
   * Milliseconds of processor time after which nothing more is looked for.
   * Default: 10,000.
   */
  readonly withinMs?: number;
  /** A budget that lint is a part of, in place of a time limit of its own. */
  readonly budget?: Budget;
}

const DEFAULT_WITHIN_MS = 10_000;

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
  /** What the work of all lints is taken from. */
  readonly budget: Budget;
  /** Whether something was left out because the time was over. */
  isOutOfTime = false;
  #firstCatchAll: LintedRule | undefined | null = null;

  constructor(
    /** All rules, as they were given. */
    readonly all: readonly Rule[],
    {
      maxRules = DEFAULT_MAX_RULES,
      withinMs = DEFAULT_WITHIN_MS,
      budget = new Budget(withinMs),
    }: LintOptions = {},
  ) {
    this.maxRules = maxRules;
    this.budget = budget;
    const rules: LintedRule[] = [];
    const refused: RefusedRule[] = [];
    for (const [index, rule] of all.entries()) {
      const checked = checkExpression(rule.expression);
      if (checked.ok)
        rules.push(new LintedRule(rule, index, checked.expression, this));
      else refused.push({ rule, index, problems: checked.problems });
    }
    this.rules = rules;
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

  /** Places of the first and the last enabled rule with a mistake. */
  readonly #firstUnknown: number;
  readonly #lastUnknown: number;
  /** For each rule, how many enabled rules are in front of it. */
  readonly #places: readonly number[];
  readonly #firstWith = new Map<string, LintedRule>();

  /** The enabled rules in front of a rule. */
  before({ index }: LintedRule): readonly LintedRule[] {
    return this.enabled.slice(0, this.#places[index]);
  }

  /** Whether an enabled rule with a mistake stands in front of a rule. */
  isUnknownBefore({ index }: LintedRule): boolean {
    return this.#firstUnknown < index;
  }

  /** The enabled rules behind a rule; undefined where one of them has a mistake. */
  after({ index }: LintedRule): readonly LintedRule[] | undefined {
    if (this.#lastUnknown > index) return undefined;
    const place = this.#places[index] ?? 0;
    const isHere = this.enabled[place]?.index === index;
    return this.enabled.slice(isHere ? place + 1 : place);
  }

  /** The first enabled rule that matches the same requests for sure. */
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
   * Whether it is proven that no request meets a condition, which is made only
   * while there is time.
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

  /** The first of some rules that matches a request. @throws BudgetSpentError */
  firstMatching(
    rules: readonly LintedRule[],
    request: RuleRequest,
  ): LintedRule | undefined {
    return rules.find(
      ({ expression }) => resultOf(expression, request, this.budget) === true,
    );
  }

  /** Whether it is proven that a rule matches every request. */
  matchesAlways({ expression }: LintedRule): boolean {
    return this.isImpossible(() => not(matches(expression)));
  }
}

const EMPTY: RuleRequest = { headers: {} };

/** Rules that become a condition in a unit of a budget. */
const RULES_PER_UNIT = 10;

/** A node of an expression, and the list whose elements `#` stands for there. */
export type Visit = ReturnType<typeof postOrder>[number];

/** A rule without a mistake, and what several lints need to know of it. */
export class LintedRule implements CheckedRule {
  /** Every node of the expression, children before their parent. */
  readonly nodes: readonly Visit[];
  /** A text that is equal for two rules only if they match the same requests. */
  readonly meaning: string;
  /** The network whose addresses the rule matches, where it asks for nothing else. */
  readonly network: IpNetwork | undefined;
  #match: FoundRequest | undefined;

  constructor(
    readonly rule: Rule,
    /** Place in the set, from 0. */
    readonly index: number,
    readonly expression: CheckedExpression,
    private readonly set: Pick<LintedSet, "findRequest" | "isOutOfTime">,
  ) {
    const { root } = expression;
    this.nodes = postOrder(root);
    this.meaning = canonicalText(optimise(root, () => undefined));
    const test = networkTest(root);
    this.network = test && !test.negated ? test.network : undefined;
  }

  /** A request that the rule matches. */
  get match(): FoundRequest {
    if (this.#match) return this.#match;
    const found = this.set.findRequest(matches(this.expression));
    // What was not found for want of time is not known.
    if (!this.set.isOutOfTime) this.#match = found;
    return found;
  }
}
