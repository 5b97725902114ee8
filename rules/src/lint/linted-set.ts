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

/** Rules that an account has room for, as far as is known: docs/contract.md, "Account limits". */
export const DEFAULT_MAX_RULES = 15;

/** What lints may be told. */
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

/** A rule set as the lints see it: each expression is checked once. */
export class LintedSet {
  /** Those whose expression is right. */
  readonly rules: readonly LintedRule[];
  /** The others, of which nothing is known but their action. */
  readonly refused: readonly RefusedRule[];
  /** Those of `rules` that decide. */
  readonly enabled: readonly LintedRule[];
  readonly maxRules: number;
  readonly withinMs: number;
  /** Whether a search was left out because the time was over. */
  isOutOfTime = false;
  readonly #end: number;
  #firstCatchAll: LintedRule | undefined | null = null;

  constructor(
    /** As they were given. */
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

  /** The enabled rules that are asked before one. */
  before({ index }: LintedRule): readonly LintedRule[] {
    return this.enabled.filter((other) => other.index < index);
  }

  /** Whether an enabled rule that cannot be read is asked before one. */
  isUnknownBefore({ index }: LintedRule): boolean {
    return this.refused.some(
      (other) => other.index < index && other.rule.status === "enabled",
    );
  }

  /** The enabled rules that are asked after one, or undefined where one of them cannot be read. */
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

  /** Looks for a request that meets a condition; cannot tell once the time is over. */
  findRequest(condition: Condition): FoundRequest {
    if (performance.now() < this.#end) return findRequest(condition);
    this.isOutOfTime = true;
    return { answer: "cannot tell" };
  }

  /** Whether it is proven that no request meets a condition. A guess that meets it spares the search. */
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

/** A rule whose expression is right, and what several lints ask of it. */
export class LintedRule implements CheckedRule {
  /** Every node of the expression, children before their parent. */
  readonly nodes: readonly Visit[];
  /** A text that two rules share only if they match the same requests. */
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

  /** A request that it matches. */
  get match(): FoundRequest {
    this.#match ??= this.set.findRequest(matches(this.expression));
    return this.#match;
  }
}
