import {
  checkExpression,
  postOrder,
  type CheckedExpression,
  type RuleRequest,
} from "../language";
import { optimise } from "../language/eval/optimise";
import { canonicalText } from "../language/syntax/print-expression";
import type { RefusedRule } from "../rule-set/evaluate-rule-set";
import type { Rule } from "../rule-set/rule";
import {
  matches,
  meetsCondition,
  not,
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
   * Milliseconds after which nothing more is looked for; a search that has begun
   * may take a second more. Default: 10,000.
   */
  readonly withinMs?: number;
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
  readonly withinMs: number;
  /** Whether a search was left out because the time was over. */
  isOutOfTime = false;
  readonly #end: number;
  #firstCatchAll: LintedRule | undefined | null = null;

  constructor(
    /** All rules, as they were given. */
    readonly all: readonly Rule[],
    {
      maxRules = DEFAULT_MAX_RULES,
      withinMs = DEFAULT_WITHIN_MS,
    }: LintOptions = {},
  ) {
    this.maxRules = maxRules;
    this.withinMs = withinMs;
    this.#end = performance.now() + withinMs;
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
  }

  /** The enabled rules in front of a rule. */
  before({ index }: LintedRule): readonly LintedRule[] {
    return this.enabled.filter((other) => other.index < index);
  }

  /** Whether an enabled rule with a mistake stands in front of a rule. */
  isUnknownBefore({ index }: LintedRule): boolean {
    return this.refused.some(
      (other) => other.index < index && other.rule.status === "enabled",
    );
  }

  /** The enabled rules behind a rule; undefined where one of them has a mistake. */
  after({ index }: LintedRule): readonly LintedRule[] | undefined {
    const isUnknown = this.refused.some(
      (other) => other.index > index && other.rule.status === "enabled",
    );
    return isUnknown
      ? undefined
      : this.enabled.filter((other) => other.index > index);
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
    if (performance.now() < this.#end) return findRequest(condition);
    this.isOutOfTime = true;
    return { answer: "cannot tell" };
  }

  /**
   * Whether it is proven that no request meets a condition. A request in
   * `guess` that meets it saves the search.
   */
  isImpossible(condition: Condition, guess?: FoundRequest): boolean {
    const request = guess?.answer === "found" ? guess.request : EMPTY;
    return (
      !meetsCondition(condition, request) &&
      this.findRequest(condition).answer === "none"
    );
  }

  /** Whether it is proven that a rule matches every request. */
  matchesAlways({ expression }: LintedRule): boolean {
    return this.isImpossible(not(matches(expression)));
  }
}

const EMPTY: RuleRequest = { headers: {} };

/** A node of an expression, and the list whose elements `#` stands for there. */
export type Visit = ReturnType<typeof postOrder>[number];

/** A rule without a mistake, and what several lints need to know of it. */
export class LintedRule implements CheckedRule {
  /** Every node of the expression, children before their parent. */
  readonly nodes: readonly Visit[];
  /** A text that is equal for two rules only if they match the same requests. */
  readonly meaning: string;
  #match: FoundRequest | undefined;

  constructor(
    readonly rule: Rule,
    /** Place in the set, from 0. */
    readonly index: number,
    readonly expression: CheckedExpression,
    private readonly set: Pick<LintedSet, "findRequest">,
  ) {
    const { root } = expression;
    this.nodes = postOrder(root);
    this.meaning = canonicalText(optimise(root, () => undefined));
  }

  /** A request that the rule matches. */
  get match(): FoundRequest {
    this.#match ??= this.set.findRequest(matches(this.expression));
    return this.#match;
  }
}
