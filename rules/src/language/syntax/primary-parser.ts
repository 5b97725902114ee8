import type { FunctionName, Node, QuantifierName } from "./ast";
import { isName } from "./characters";
import type { Token } from "./lexer";
import { readNumber } from "./number-literal";
import { ExpressionSyntaxError, notSupported, type Span } from "./problem";
import { TokenReader } from "./token-reader";

const FUNCTIONS: ReadonlySet<string> = new Set<FunctionName>([
  "len",
  "lower",
  "upper",
  "trim",
  "cidr",
]);
const QUANTIFIERS: ReadonlySet<string> = new Set<QuantifierName>([
  "any",
  "all",
  "none",
  "filter",
  "count",
]);
const PREFIXES: Readonly<Record<string, "!" | "-" | "+">> = {
  "!": "!",
  not: "!",
  "-": "-",
  "+": "+",
};

/** Parses operands: literals, names, calls, lists, brackets, and what is glued to them. */
export abstract class PrimaryParser {
  protected readonly reader: TokenReader;
  /** Nodes that stood in brackets, which no chain may swallow. */
  protected readonly bracketed = new WeakSet<Node>();
  /** How many conditions of quantifiers are open: where `#` may stand. */
  #quantifiers = 0;

  /** @throws ExpressionSyntaxError */
  constructor(source: string) {
    this.reader = new TokenReader(source);
  }

  protected abstract expression(): Node;

  /** An operand with its prefixes; `??` binds tighter than they do. */
  protected operand(): { node: Node; isCoalesced: boolean } {
    const { reader } = this;
    const prefixes: Token[] = [];
    while (
      reader.current.kind === "operator" &&
      Object.hasOwn(PREFIXES, reader.current.text)
    )
      prefixes.push(reader.take());
    reader.enter(prefixes.length);
    let node = this.#primary();
    let isCoalesced = false;
    while (reader.accept("??")) {
      const right = this.#operandOfCoalesce();
      isCoalesced = prefixes.length === 0;
      node = this.#made(
        { kind: "coalesce", left: node, right, span: this.#from(node.span) },
        1,
      );
    }
    for (const prefix of prefixes.reverse()) {
      const operator = PREFIXES[prefix.text] ?? "!";
      const span = this.#from(prefix);
      node = this.#made({ kind: "unary", operator, operand: node, span }, 1);
      node = this.#postfix(node);
    }
    reader.leave(prefixes.length);
    return { node, isCoalesced };
  }

  /** What stands right of `??`: its own prefixes, if any, take in the rest of the chain. */
  #operandOfCoalesce(): Node {
    const { current } = this.reader;
    const isPrefix =
      current.kind === "operator" && Object.hasOwn(PREFIXES, current.text);
    return isPrefix ? this.operand().node : this.#primary();
  }

  #primary(): Node {
    const { reader } = this;
    const token = reader.current;
    if (token.kind === "number") return this.#number(reader.take());
    if (token.kind === "string") {
      const { text: value } = reader.take();
      return this.#postfix(
        this.#made({ kind: "string", value, span: spanOf(token) }, 1),
      );
    }
    if (token.kind === "name") return this.#name(reader.take());
    if (reader.accept("(")) {
      const node = this.expression();
      reader.expect(")");
      this.bracketed.add(node);
      return this.#postfix(node);
    }
    if (reader.accept("[")) return this.#list(token);
    if (this.#quantifiers > 0 && (reader.is("#") || reader.is(".")))
      return this.#pointer(token);
    const isForeign = ["{", "let", "if", "::"].includes(token.text);
    if (isForeign && token.kind !== "end")
      throw new ExpressionSyntaxError(notSupported(token.text), token);
    return reader.unexpected("a value is expected");
  }

  #number(token: Token): Node {
    const read = readNumber(token.text);
    if ("mistake" in read) throw new ExpressionSyntaxError(read.mistake, token);
    const span = spanOf(token);
    return "integer" in read
      ? this.#made({ kind: "integer", value: read.integer, span }, 1)
      : this.#made({ kind: "float", value: read.float, span }, 1);
  }

  #name(token: Token): Node {
    const { text: name } = token;
    const span = spanOf(token);
    if (name === "true" || name === "false")
      return this.#made({ kind: "boolean", value: name === "true", span }, 1);
    if (name === "nil") return this.#made({ kind: "nil", span }, 1);
    if (!this.reader.is("("))
      return this.#postfix(this.#made({ kind: "name", name, span }, 1));
    if (QUANTIFIERS.has(name))
      return this.#quantifier(name as QuantifierName, token);
    if (!FUNCTIONS.has(name))
      throw new ExpressionSyntaxError(notSupported(`${name}()`), token);
    this.reader.take();
    const args = this.#items(")");
    return this.#postfix(
      this.#made(
        {
          kind: "call",
          name: name as FunctionName,
          args,
          span: this.#from(token),
        },
        name === "cidr" ? 2 : 1,
      ),
    );
  }

  /** Expressions between commas, to the bracket that closes them. */
  #items(close: ")" | "]"): Node[] {
    const { reader } = this;
    const items: Node[] = [];
    while (!reader.accept(close)) {
      if (items.length > 0) {
        reader.expect(",");
        if (reader.accept(close)) break;
      }
      items.push(this.expression());
    }
    return items;
  }

  #list(start: Token): Node {
    const elements = this.#items("]");
    const span = this.#from(start);
    return this.#postfix(this.#made({ kind: "list", elements, span }, 1));
  }

  #quantifier(name: QuantifierName, start: Token): Node {
    const { reader } = this;
    reader.take();
    const list = this.expression();
    let condition: Node | undefined;
    if (name !== "count" || !reader.is(")")) {
      reader.expect(",");
      condition = this.#condition();
    }
    reader.accept(",");
    reader.expect(")");
    const span = this.#from(start);
    return this.#postfix(
      this.#made(
        { kind: "quantifier", name, list, condition, span },
        condition ? 2 : 1,
      ),
    );
  }

  #condition(): Node {
    const isBraced = this.reader.accept("{");
    this.#quantifiers++;
    const node = this.expression();
    this.#quantifiers--;
    if (isBraced) {
      this.reader.expect("}");
    }
    return node;
  }

  #pointer(token: Token): Node {
    const { reader } = this;
    if (reader.accept("#") && reader.current.kind === "name")
      throw new ExpressionSyntaxError(
        notSupported(`#${reader.current.text}`),
        reader.current,
      );
    const length = token.text === "#" ? 1 : 0;
    const span = { offset: token.offset, length };
    return this.#postfix(this.#made({ kind: "pointer", span }, 1));
  }

  #postfix(object: Node): Node {
    const { reader } = this;
    let node = object;
    for (;;) {
      if (reader.accept(".")) node = this.#dot(node);
      else if (reader.accept("[")) {
        if (reader.is(":"))
          throw new ExpressionSyntaxError(
            notSupported("a slice"),
            reader.current,
          );
        const property = this.expression();
        if (reader.is(":"))
          throw new ExpressionSyntaxError(
            notSupported("a slice"),
            reader.current,
          );
        reader.expect("]");
        const span = this.#from(node.span);
        node = this.#made(
          { kind: "member", object: node, property, notation: "index", span },
          1,
        );
      } else return node;
    }
  }

  #dot(object: Node): Node {
    const { reader } = this;
    const token = reader.current;
    if (
      (token.kind !== "name" && token.kind !== "operator") ||
      !isName(token.text)
    )
      reader.unexpected("a name is expected");
    reader.take();
    if (reader.is("("))
      throw new ExpressionSyntaxError(notSupported(`${token.text}()`), token);
    const property: Node = {
      kind: "string",
      value: token.text,
      span: spanOf(token),
    };
    const span = this.#from(object.span);
    return this.#made(
      { kind: "member", object, property, notation: "dot", span },
      2,
    );
  }

  /** The node, counted. */
  #made(node: Node, count: number): Node {
    this.reader.count(count, node.span);
    return node;
  }

  /** From a start to the end of what was read last. */
  #from({ offset }: Span): Span {
    return { offset, length: this.reader.end - offset };
  }
}

function spanOf({ offset, length }: Span): Span {
  return { offset, length };
}
