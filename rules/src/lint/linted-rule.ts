import { postOrder, type CheckedExpression } from "../language";
import { optimise } from "../language/eval/optimise";
import { canonicalText } from "../language/syntax/print-expression";
import { matches, type CheckedRule } from "../solver/condition";
import { findRequest, type FoundRequest } from "../solver/find-request";
import type { Rule } from "../rule-set/rule";

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
