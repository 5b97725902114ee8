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
}

/** A rule set as the lints see it: each expression is checked once. */
export class LintedSet {
  /** Those whose expression is right. */
  readonly rules: readonly LintedRule[];
  /** The others, of which nothing is known but their action. */
  readonly refused: readonly RefusedRule[];
  /** Those of `rules` that decide. */
  readonly enabled: readonly LintedRule[];
  readonly maxRules: number;
  #firstCatchAll: LintedRule | undefined | null = null;

  constructor(
    /** As they were given. */
    readonly all: readonly Rule[],
    { maxRules = DEFAULT_MAX_RULES }: LintOptions = {},
  ) {
    this.maxRules = maxRules;
    const rules: LintedRule[] = [];
    const refused: RefusedRule[] = [];
    for (const [index, rule] of all.entries()) {
      const checked = checkExpression(rule.expression);
      if (checked.ok)
        rules.push(new LintedRule(rule, index, checked.expression));
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
      this.#firstCatchAll = this.enabled.find(matchesAlways);
    return this.#firstCatchAll;
  }
}

/** Whether a rule surely matches every request. */
export function matchesAlways({ expression }: LintedRule): boolean {
  return isImpossible(not(matches(expression)));
}

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
  ) {
    const { root } = expression;
    this.nodes = postOrder(root);
    this.meaning = canonicalText(optimise(root, () => undefined));
  }

  /** A request that it matches. */
  get match(): FoundRequest {
    this.#match ??= findRequest(matches(this.expression));
    return this.#match;
  }
}

const EMPTY: RuleRequest = { headers: {} };

/** Whether surely no request meets a condition. A guess that does spares the search. */
export function isImpossible(
  condition: Condition,
  guess?: FoundRequest,
): boolean {
  const request = guess?.answer === "found" ? guess.request : EMPTY;
  return (
    !meetsCondition(condition, request) &&
    findRequest(condition).answer === "none"
  );
}
