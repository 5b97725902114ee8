import type { BinaryOperator, Node, OrderOperator } from "./ast";
import {
  FOREIGN_OPERATORS,
  isNegatable,
  isOrder,
  PRECEDENCE,
} from "./operators";
import { PrimaryParser } from "./primary-parser";
import { ExpressionSyntaxError, notSupported, type Span } from "./problem";

/** A chain of operators of one precedence that waits for its next operand. */
interface Pending {
  readonly operator: string;
  readonly precedence: number;
  readonly negated: boolean;
  readonly left: Node;
}

/**
 * Parses what stands between brackets by precedence, with a stack of its own:
 * only brackets and branches of a condition take levels of the machine's stack.
 */
export class Parser extends PrimaryParser {
  /** The whole source. @throws ExpressionSyntaxError */
  parse(): Node {
    const node = this.expression();
    if (this.reader.current.kind !== "end")
      this.reader.unexpected("an operator is expected");
    return node;
  }

  protected override expression(): Node {
    const { reader } = this;
    reader.enter();
    const pending: Pending[] = [];
    let { node: left, isCoalesced } = this.operand();
    for (;;) {
      const operator = this.#operator();
      const precedence = operator?.precedence ?? 0;
      let top = pending.at(-1);
      if (operator && isCoalesced && precedence > (top?.precedence ?? 0))
        throw new ExpressionSyntaxError(
          `${operator.text} cannot follow ?? without brackets around one of them`,
          operator.span,
        );
      for (; top && precedence <= top.precedence; top = pending.at(-1)) {
        pending.pop();
        left = this.#join(top, left);
      }
      if (!operator) break;
      const { text, negated } = operator;
      pending.push({ operator: text, precedence, negated, left });
      ({ node: left, isCoalesced } = this.operand());
    }
    const node = this.#conditional(left);
    reader.leave();
    return node;
  }

  /** Takes the operator that stands here, if one does. */
  #operator() {
    const { reader } = this;
    const token = reader.current;
    if (token.kind !== "operator") return undefined;
    const negated = token.text === "not";
    if (negated && !isNegatable(reader.peek().text)) {
      reader.take();
      reader.unexpected(
        "in, contains, matches, startsWith or endsWith is expected",
      );
    }
    const { text } = negated ? reader.peek() : token;
    this.#refuseForeign();
    const precedence = PRECEDENCE.get(text);
    if (precedence === undefined) return undefined;
    reader.take();
    if (negated) reader.take();
    const span = { offset: token.offset, length: reader.end - token.offset };
    return { text, precedence, negated, span };
  }

  /** @throws ExpressionSyntaxError where an operator stands that only expr-lang knows */
  #refuseForeign(): void {
    const token = this.reader.current;
    if (token.kind === "operator" && FOREIGN_OPERATORS.has(token.text))
      throw new ExpressionSyntaxError(
        notSupported(`the operator ${token.text}`),
        token,
      );
  }

  #join({ operator, negated, left }: Pending, right: Node): Node {
    const { offset } = left.span;
    const span: Span = {
      offset,
      length: right.span.offset + right.span.length - offset,
    };
    this.reader.count(negated ? 2 : 1, span);
    if (operator === "&&" || operator === "and")
      return this.#logical("&&", left, right, span);
    if (operator === "||" || operator === "or")
      return this.#logical("||", left, right, span);
    if (!isOrder(operator)) {
      const binary = operator as BinaryOperator;
      return { kind: "binary", operator: binary, negated, left, right, span };
    }
    return this.#order(operator, left, right, span);
  }

  /** `a && b && c` is one node; brackets keep `a && (b && c)` apart from it. */
  #logical(operator: "&&" | "||", left: Node, right: Node, span: Span): Node {
    const isChain =
      left.kind === "logical" &&
      left.operator === operator &&
      !this.bracketed.has(left);
    const operands = isChain ? chainOf(left.operands, right) : [left, right];
    return { kind: "logical", operator, operands, span };
  }

  #order(operator: OrderOperator, left: Node, right: Node, span: Span): Node {
    const isChain = left.kind === "order" && !this.bracketed.has(left);
    if (isChain) this.reader.count(1, span);
    return {
      kind: "order",
      operators: isChain ? chainOf(left.operators, operator) : [operator],
      operands: isChain ? chainOf(left.operands, right) : [left, right],
      span,
    };
  }

  #conditional(condition: Node): Node {
    const { reader } = this;
    if (!reader.accept("?")) return condition;
    const consequent = reader.is(":") ? undefined : this.expression();
    reader.expect(":");
    const alternate = this.expression();
    const { offset } = condition.span;
    const span = { offset, length: reader.end - offset };
    reader.count(1, span);
    return { kind: "conditional", condition, consequent, alternate, span };
  }
}

/** The chain that a left operand began, longer by one; its array is ours alone. */
function chainOf<T>(chain: readonly T[], next: T): readonly T[] {
  (chain as T[]).push(next);
  return chain;
}
