import { withBrackets, type Expression, type Node, type NodeForm } from "./ast";
import { isName } from "../text/characters";
import { numberOf, type Token, TokenReader } from "./lexer";
import type { FunctionName, QuantifierName } from "../tables/functions";
import {
  functionsOf,
  infixOperators,
  operatorsOf,
  rowOf,
  valueFunctions,
} from "../tables/lookup";
import {
  FOREIGN_OPERATORS,
  type BinaryOperator,
  type InfixOperator,
  type OrderOperator,
} from "../tables/operators";
import { spelledHere } from "../tables/other-spellings";
import {
  type ExpressionProblem,
  ExpressionSyntaxError,
  notSupported,
  problemAt,
  type Span,
} from "./problem";

/** Parses an expression. `checkExpression` checks its names and types. */
export function parseExpression(
  source: string,
):
  | { ok: true; expression: Expression }
  | { ok: false; error: ExpressionProblem } {
  try {
    return {
      ok: true,
      expression: { source, root: new Parser(source).parse() },
    };
  } catch (error) {
    if (error instanceof ExpressionSyntaxError)
      return { ok: false, error: problemAt(source, error.span, error.message) };
    if (error instanceof RangeError)
      return {
        ok: false,
        error: problemAt(
          source,
          { offset: 0, length: 0 },
          "this expression is nested too deeply for the stack that is left",
        ),
      };
    throw error;
  }
}

/** An operator with its left operand, while its right operand is being read. */
interface Pending {
  readonly row: InfixOperator;
  readonly negated: boolean;
  readonly left: Node;
}

/**
 * A parser by operator precedence. Operators wait on a stack of the parser, so
 * that only brackets and the branches of a condition recurse.
 */
class Parser {
  readonly #reader: TokenReader;
  /** How many conditions of quantifiers are being read; `#` is allowed within one. */
  #quantifiers = 0;

  /** @throws ExpressionSyntaxError */
  constructor(source: string) {
    this.#reader = new TokenReader(source);
  }

  /** Parses the whole source. @throws ExpressionSyntaxError */
  parse(): Node {
    const node = this.#expression();
    if (this.#reader.current.kind !== "end")
      this.#reader.unexpected("an operator is expected");
    return node;
  }

  #expression(): Node {
    const reader = this.#reader;
    reader.enter();
    const pending: Pending[] = [];
    let { node: left, isCoalesced } = this.#operand();
    for (;;) {
      const operator = this.#operator();
      const precedence = operator?.row.precedence ?? 0;
      let top = pending.at(-1);
      if (operator && isCoalesced && precedence > (top?.row.precedence ?? 0))
        throw new ExpressionSyntaxError(
          `${operator.text} cannot follow ?? without brackets around one of them`,
          operator.span,
        );
      for (; top && precedence <= top.row.precedence; top = pending.at(-1)) {
        pending.pop();
        left = this.#join(top, left);
      }
      if (!operator) break;
      const { row, negated } = operator;
      pending.push({ row, negated, left });
      ({ node: left, isCoalesced } = this.#operand());
    }
    const node = this.#conditional(left);
    reader.leave();
    return node;
  }

  /** Takes the operator that stands here, if one does. */
  #operator() {
    const reader = this.#reader;
    const token = reader.current;
    if (token.kind !== "operator") return undefined;
    const negated = token.text === "not";
    if (negated && !infixOperators.get(reader.peek().text)?.isNegatable) {
      reader.take();
      reader.unexpected(`${NEGATABLE} is expected`);
    }
    const { text } = negated ? reader.peek() : token;
    this.#refuseForeign();
    const row = infixOperators.get(text);
    if (row === undefined) return undefined;
    reader.take();
    if (negated) reader.take();
    const span = { offset: token.offset, length: reader.end - token.offset };
    return { row, text, negated, span };
  }

  /** @throws ExpressionSyntaxError for an operator that only expr-lang has */
  #refuseForeign(): void {
    const token = this.#reader.current;
    if (token.kind === "operator" && FOREIGN_OPERATORS.has(token.text))
      throw foreign(token, `the operator ${token.text}`, token.text);
  }

  #join({ row, negated, left }: Pending, right: Node): Node {
    const { offset } = withBrackets(left);
    const end = withBrackets(right);
    const span: Span = {
      offset,
      length: end.offset + end.length - offset,
    };
    this.#reader.count(negated ? 2 : 1, span);
    if (row.kind === "logical")
      return this.#logical(row.name, left, right, span);
    if (row.kind === "order") return this.#order(row.name, left, right, span);
    // All other kinds of operators make binary nodes.
    const operator = row.name as BinaryOperator;
    return { kind: "binary", operator, negated, left, right, span };
  }

  /** The node of `&&` or `||`. A chain such as `a && b && c` becomes one node. */
  #logical(operator: "&&" | "||", left: Node, right: Node, span: Span): Node {
    const isChain =
      left.kind === "logical" && left.operator === operator && !left.outer;
    const operands = isChain ? chainOf(left.operands, right) : [left, right];
    return { kind: "logical", operator, operands, span };
  }

  #order(operator: OrderOperator, left: Node, right: Node, span: Span): Node {
    const isChain = left.kind === "order" && !left.outer;
    if (isChain) this.#reader.count(1, span);
    return {
      kind: "order",
      operators: isChain ? chainOf(left.operators, operator) : [operator],
      operands: isChain ? chainOf(left.operands, right) : [left, right],
      span,
    };
  }

  #conditional(condition: Node): Node {
    const reader = this.#reader;
    if (!reader.accept("?")) return condition;
    const consequent = reader.is(":") ? undefined : this.#expression();
    reader.expect(":");
    const alternate = this.#expression();
    return this.#made(withBrackets(condition), {
      kind: "conditional",
      condition,
      consequent,
      alternate,
    });
  }

  /** Reads an operand with its prefixes. `??` binds tighter than a prefix. */
  #operand(): { node: Node; isCoalesced: boolean } {
    const reader = this.#reader;
    const prefixes: Token[] = [];
    while (
      reader.current.kind === "operator" &&
      prefixOperators.has(reader.current.text)
    )
      prefixes.push(reader.take());
    reader.enter(prefixes.length);
    let node = this.#primary();
    let isCoalesced = false;
    while (reader.accept("??")) {
      const right = this.#operandOfCoalesce();
      isCoalesced = prefixes.length === 0;
      node = this.#made(withBrackets(node), {
        kind: "coalesce",
        left: node,
        right,
      });
    }
    for (const prefix of prefixes.reverse()) {
      const operator = rowOf(prefixOperators, prefix.text).name;
      node = this.#made(prefix, { kind: "unary", operator, operand: node });
      node = this.#postfix(node);
    }
    reader.leave(prefixes.length);
    return { node, isCoalesced };
  }

  /** Reads the right operand of `??`. A prefix of that operand applies to the rest of the chain. */
  #operandOfCoalesce(): Node {
    const { current } = this.#reader;
    const isPrefix =
      current.kind === "operator" && prefixOperators.has(current.text);
    return isPrefix ? this.#operand().node : this.#primary();
  }

  #primary(): Node {
    const reader = this.#reader;
    const token = reader.current;
    if (token.kind === "number")
      return this.#made(reader.take(), numberOf(token));
    if (token.kind === "string") {
      const { text: value } = reader.take();
      return this.#postfix(this.#made(token, { kind: "string", value }));
    }
    if (token.kind === "name") {
      reader.take();
      // Read here and not in #name, so that a level of nesting takes few frames of the
      // stack.
      return functionsOf.quantifier.has(token.text) && reader.is("(")
        ? this.#quantifier(token.text as QuantifierName, token)
        : this.#name(token);
    }
    if (reader.accept("(")) {
      const node = this.#expression();
      reader.expect(")");
      return this.#postfix({ ...node, outer: this.#from(token) });
    }
    if (reader.accept("[")) {
      const elements = this.#items("]");
      return this.#postfix(this.#made(token, { kind: "list", elements }));
    }
    if (this.#quantifiers > 0 && (reader.is("#") || reader.is(".")))
      return this.#pointer(token);
    const isForeign = ["{", "let", "if", "::"].includes(token.text);
    if (isForeign && token.kind !== "end") throw foreign(token, token.text);
    return reader.unexpected("a value is expected");
  }

  #name(token: Token): Node {
    const { text: name } = token;
    if (name === "true" || name === "false")
      return this.#made(token, { kind: "boolean", value: name === "true" });
    if (name === "nil") return this.#made(token, { kind: "nil" });
    if (!this.#reader.is("("))
      return this.#postfix(this.#made(token, { kind: "name", name }));
    if (!valueFunctions.has(name)) throw refusedCall(token);
    this.#reader.take();
    const args = this.#items(")");
    const call = { kind: "call", name: name as FunctionName, args } as const;
    const count = functionsOf.network.has(name) ? 2 : 1;
    return this.#postfix(this.#made(token, call, count));
  }

  /** Reads expressions between commas, up to the closing bracket. */
  #items(close: ")" | "]"): Node[] {
    const reader = this.#reader;
    const items: Node[] = [];
    while (!reader.accept(close)) {
      if (items.length > 0) {
        reader.expect(",");
        if (reader.accept(close)) break;
      }
      items.push(this.#expression());
    }
    return items;
  }

  #quantifier(name: QuantifierName, start: Token): Node {
    const reader = this.#reader;
    reader.take();
    const list = this.#expression();
    let condition: Node | undefined;
    if (name !== "count" || !reader.is(")")) {
      reader.expect(",");
      const isBraced = reader.accept("{");
      this.#quantifiers++;
      condition = this.#expression();
      this.#quantifiers--;
      if (isBraced) reader.expect("}");
    }
    reader.accept(",");
    reader.expect(")");
    const quantifier = { kind: "quantifier", name, list, condition } as const;
    return this.#postfix(this.#made(start, quantifier, condition ? 2 : 1));
  }

  #pointer(token: Token): Node {
    const reader = this.#reader;
    if (reader.accept("#") && reader.current.kind === "name")
      throw foreign(reader.current, `#${reader.current.text}`);
    // `.name` is short for `#.name`.
    const isShort = token.text !== "#";
    const pointer = this.#made(token, { kind: "pointer" });
    return this.#postfix(
      isShort ? { ...pointer, span: { ...pointer.span, length: 0 } } : pointer,
    );
  }

  #postfix(object: Node): Node {
    const reader = this.#reader;
    let node = object;
    for (;;) {
      if (reader.accept(".")) node = this.#dot(node);
      else if (reader.accept("[")) {
        this.#refuseSlice();
        const property = this.#expression();
        this.#refuseSlice();
        reader.expect("]");
        node = this.#made(withBrackets(node), {
          kind: "member",
          object: node,
          property,
          notation: "index",
        });
      } else return node;
    }
  }

  /** @throws ExpressionSyntaxError for `list[1:2]` */
  #refuseSlice(): void {
    if (this.#reader.is(":")) throw foreign(this.#reader.current, "a slice");
  }

  #dot(object: Node): Node {
    const reader = this.#reader;
    const token = reader.current;
    const isWord = token.kind === "name" || token.kind === "operator";
    if (!isWord || !isName(token.text)) reader.unexpected("a name is expected");
    reader.take();
    if (reader.is("(")) throw refusedCall(token);
    const property = this.#made(token, { kind: "string", value: token.text });
    return this.#made(withBrackets(object), {
      kind: "member",
      object,
      property,
      notation: "dot",
    });
  }

  /**
   * A node from a place up to here.
   * @param count the nodes that expr-lang makes for it
   */
  #made(start: Span, form: NodeForm, count = 1): Node {
    const span = this.#from(start);
    this.#reader.count(count, span);
    return { ...form, span };
  }

  #from({ offset }: Span): Span {
    return { offset, length: this.#reader.end - offset };
  }
}

/** Adds to the array of a chain. Only the node that is being built has that array. */
function chainOf<T>(chain: readonly T[], next: T): readonly T[] {
  (chain as T[]).push(next);
  return chain;
}

/** The words and signs that may stand in front of an operand. */
const prefixOperators = operatorsOf.prefix;

/** The operators that `not` may stand in front of, as messages list them. */
const NEGATABLE = [...infixOperators.values()]
  .filter((row) => row.isNegatable)
  .map((row) => row.name)
  .join(", ")
  .replace(/, (\w+)$/, " or $1");

/** The refusal of what only expr-lang has; `word` has a spelling here. */
function foreign(token: Token, what: string, word?: string) {
  const instead = word === undefined ? "" : spelledHere(word);
  return new ExpressionSyntaxError(notSupported(what) + instead, token);
}

const refusedCall = (token: Token) =>
  foreign(token, `${token.text}()`, `${token.text}()`);
