import { TimeLimit } from "../../time-limit";
import {
  compileExpression,
  type CompiledExpression,
} from "../../eval/compile-expression";
import {
  checkExpression,
  postOrder,
  type CheckedExpression,
  type Node,
  type RuleRequest,
} from "../../language";
import { withBotFlags } from "../../language/request/bot-flags";
import { keyOf } from "../../core/core";
import { coreOf } from "../../core/lower";
import { comparisonsOf, requestsWith, type TextComparison } from "./comparison";
import type { RefusedRule } from "../../rule-set/evaluate-rule-set";
import type { CheckedRule, Rule } from "../../rule-set/rule";
import {
  matches,
  meetsCondition,
  not,
  type Condition,
} from "../../solver/condition";
import { onceFor } from "../../once-for";
import { findRequest, type FoundRequest } from "../../solver/find-request";
import { USER_AGENT_PARTS } from "../../solver/realistic-texts";
import { headerNameIn } from "./read-headers";

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
  /** The time limit of the caller. If given, lint has none of its own. */
  readonly time?: TimeLimit;
}

export const DEFAULT_WITHIN_MS = 10_000;

interface Asked {
  to: number;
  first?: LintedRule | undefined;
}

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
  /** The time limit of all lints. */
  readonly time: TimeLimit;
  /** Whether a search was left out because the time was over. */
  isOutOfTime = false;
  #firstCatchAll: LintedRule | undefined | null = null;
  readonly #places: ReadonlyMap<number, LintedRule>;
  /** How many enabled rules stand in front of each place. Counting them for each rule takes long. */
  readonly #enabledBefore = [0];
  /** Up to which enabled rule a request was evaluated, and the first that matches it: several lints ask. */
  readonly #asked = onceFor<RuleRequest, Asked>(() => ({ to: 0 }));

  constructor(
    /** All rules, as they were given. */
    readonly all: readonly Rule[],
    {
      maxRules = DEFAULT_MAX_RULES,
      withinMs = DEFAULT_WITHIN_MS,
      time = new TimeLimit(withinMs),
    }: LintOptions = {},
  ) {
    this.maxRules = maxRules;
    this.time = time;
    const rules: LintedRule[] = [];
    const refused: RefusedRule[] = [];
    for (const [index, rule] of all.entries()) {
      const checked = checkExpression(rule.expression);
      if (checked.ok)
        rules.push(new LintedRule(rule, index, checked.expression, this));
      else refused.push({ rule, index, problems: checked.problems });
    }
    this.rules = rules;
    this.#places = new Map(rules.map((one) => [one.index, one]));
    this.refused = refused;
    this.enabled = rules.filter(({ rule }) => rule.status === "enabled");
    for (const index of all.keys()) {
      const isEnabled = this.at(index)?.rule.status === "enabled";
      this.#enabledBefore.push(
        (this.#enabledBefore[index] ?? 0) + Number(isEnabled),
      );
    }
    this.unknown = refused
      .filter(({ rule }) => rule.status === "enabled")
      .map(({ index }) => index);
  }

  /** Places of the enabled rules with a mistake. */
  private readonly unknown: readonly number[];

  /** The rule at a place, from 0; undefined for one with a mistake. */
  at(place: number): LintedRule | undefined {
    return this.#places.get(place);
  }

  /** The enabled rules in front of a rule. */
  before({ index }: LintedRule): readonly LintedRule[] {
    return this.enabled.slice(0, this.#enabledBefore[index]);
  }

  /** Whether an enabled rule with a mistake stands in front of a rule. */
  isUnknownBefore({ index }: LintedRule): boolean {
    return this.unknown.some((place) => place < index);
  }

  /** The enabled rules behind a rule; undefined if one of them has a mistake. */
  after({ index }: LintedRule): readonly LintedRule[] | undefined {
    return this.unknown.some((place) => place > index)
      ? undefined
      : this.enabled.slice(this.#enabledBefore[index + 1]);
  }

  /** The first enabled rule that matches every request. */
  get firstCatchAll(): LintedRule | undefined {
    if (this.#firstCatchAll === null)
      this.#firstCatchAll = this.enabled.find((rule) =>
        this.matchesAlways(rule),
      );
    return this.#firstCatchAll;
  }

  /** Whether no enabled rule in front of a rule matches a request. */
  isReached(rule: LintedRule, request: RuleRequest): boolean {
    return !this.firstBefore(rule, request);
  }

  /** The first enabled rule in front of a rule that matches a request. */
  firstBefore(rule: LintedRule, request: RuleRequest): LintedRule | undefined {
    const to = this.#enabledBefore[rule.index] ?? 0;
    const asked = this.#asked(request);
    if (!asked.first && asked.to < to) {
      asked.first = firstMatching(this.enabled, request, asked.to, to);
      asked.to = to;
    }
    return asked.first && asked.first.index < rule.index
      ? asked.first
      : undefined;
  }

  /** Whether a request reaches a rule, and a later rule denies it. */
  isPast(rule: LintedRule, request: RuleRequest): boolean {
    return this.isReached(rule, request) && this.isDeniedBehind(rule, request);
  }

  /** Whether an enabled rule behind a rule denies a request, as far as that is known. */
  isDeniedBehind(rule: LintedRule, request: RuleRequest): boolean {
    const place = this.#enabledBefore[rule.index + 1];
    return (
      !this.unknown.some((each) => each > rule.index) &&
      firstMatching(this.enabled, request, place)?.isDeny === true
    );
  }

  /** Whether the time is over. Lint then says that something was left out. */
  get isOver(): boolean {
    this.isOutOfTime ||= this.time.isOver;
    return this.isOutOfTime;
  }

  /**
   * Looks for a request that meets a condition, first of all one without anything. Once
   * the time is over, the answer is "cannot tell".
   */
  findRequest(condition: Condition): FoundRequest {
    if (this.isOver) return { answer: "cannot tell" };
    return meetsCondition(condition, EMPTY)
      ? { answer: "found", request: EMPTY }
      : findRequest(condition);
  }

  /** Whether it is proven that no request meets a condition. */
  isImpossible(condition: Condition): boolean {
    return this.findRequest(condition).answer === "none";
  }

  /** Whether it is proven that a rule matches every request. */
  matchesAlways({ expression }: LintedRule): boolean {
    return this.isImpossible(not(matches(expression)));
  }
}

/** The first of some rules, which are in order, that matches a request. */
export function firstMatching(
  rules: readonly LintedRule[],
  request: RuleRequest,
  from = 0,
  to = rules.length,
): LintedRule | undefined {
  // A loop is faster than `find`, and this is most of the work for many rules.
  for (let place = from; place < to; place++)
    if (rules[place]?.isMatch(request)) return rules[place];
  return undefined;
}

/** A node of an expression, and the list whose elements `#` stands for there. */
export type Visit = ReturnType<typeof postOrder>[number];

/** A rule without a mistake, with facts that several lints need. */
export class LintedRule implements CheckedRule {
  /** Every node of the expression, children before their parent. */
  readonly nodes: readonly Visit[];
  /** A text that is equal for two rules only if they match the same requests. */
  readonly meaning: string;
  readonly isDeny: boolean;
  #compiled: CompiledExpression | undefined;
  #match: FoundRequest | undefined;
  #readsFlags: boolean | undefined;
  #comparisons: readonly TextComparison[] | undefined;
  #comparedAt: ReadonlyMap<Node, TextComparison> | undefined;

  constructor(
    readonly rule: Rule,
    /** Place in the set, from 0. */
    readonly index: number,
    readonly expression: CheckedExpression,
    private readonly set: Pick<LintedSet, "findRequest">,
  ) {
    this.nodes = postOrder(expression.root);
    this.meaning = keyOf(coreOf(expression));
    this.isDeny = rule.action === "deny";
  }

  /** The texts that parts of a request are compared with. */
  get comparisons(): readonly TextComparison[] {
    this.#comparisons ??= comparisonsOf(this.nodes, this.expression);
    return this.#comparisons;
  }

  /** The comparison that a node is, with a list the first one; undefined for another node. */
  comparedAt(node: Node): TextComparison | undefined {
    // The first of a node replaces the others.
    this.#comparedAt ??= new Map(
      this.comparisons.toReversed().map((each) => [each.node, each]),
    );
    return this.#comparedAt.get(node);
  }

  /** Those of them with the user agent. */
  get ofAgents(): readonly TextComparison[] {
    return this.comparisons.filter(({ part }) =>
      USER_AGENT_PARTS.includes(part),
    );
  }

  /** The names of the headers whose values or presence the expression reads. */
  get headers(): readonly string[] {
    const { types } = this.expression;
    return this.nodes.flatMap(
      ({ node }) => headerNameIn(node, types)?.value ?? [],
    );
  }

  /** Whether the rule matches a request. */
  isMatch(request: RuleRequest): boolean {
    this.#compiled ??= compileExpression(this.expression);
    const result = this.#compiled.evaluate(this.asSeen(request));
    return "value" in result && result.value;
  }

  /** A request with its flags of bots, if the rule reads them: finding the first takes a tenth of a check. */
  asSeen(request: RuleRequest): RuleRequest {
    this.#readsFlags ??= [...this.expression.types.values()].some(({ name }) =>
      name?.includes("user_agent.is_"),
    );
    return this.#readsFlags ? withBotFlags(request) : request;
  }

  /** A request that the rule matches. One with the text of a comparison is found faster than by a search. */
  get match(): FoundRequest {
    const request = this.#match
      ? undefined
      : requestsWith(this.comparisons).find((each) => this.isMatch(each));
    return (this.#match ??= request
      ? { answer: "found", request }
      : this.set.findRequest(matches(this.expression)));
  }
}
