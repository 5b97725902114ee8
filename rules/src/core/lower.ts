import { assertNever } from "../assert-never";
import { readPattern } from "../language/regex/pattern";
import { parseNetwork } from "../language/request/ip-address";
import { type Node, type NodeOf, postOrder } from "../language/syntax/ast";
import {
  binaryOperators,
  fieldNamed,
  functionsOf,
  operatorsOf,
  rowOf,
  valueFunctions,
} from "../language/tables/lookup";
import {
  type CheckedExpression,
  typeOf,
  type ValueKind,
  type ValueType,
} from "../language/types/check-expression";
import { onceFor } from "../once-for";
import {
  type ConstantValue,
  type Core,
  type CoreFacts,
  type CoreNode,
  type CoreOf,
  operandsOf,
} from "./core";

/**
 * The core of a checked expression, which is made once. As in expr-lang, a constant
 * operand of `&&` or `||` settles the result even if another operand fails. Its
 * optimiser also merges quantifiers and ends counts early, which may skip a failing
 * part; that is not reproduced (docs/assumptions.md, A40).
 */
export const coreOf = onceFor(
  (expression: CheckedExpression): Core => new Lowering(expression).core,
);

/** Kinds of nodes that are no values: only their parent node reads them. */
const NO_VALUES: ReadonlySet<ValueKind> = new Set(["group", "ip", "network"]);

class Lowering {
  readonly core: Core;
  readonly #types: CheckedExpression["types"];
  readonly #lowered = new Map<Node, Core>();

  constructor({ root, types }: CheckedExpression) {
    this.#types = types;
    for (const { node, around } of postOrder(root))
      if (!NO_VALUES.has(this.#typeOf(node).kind))
        this.#lowered.set(node, this.#lower(node, around !== undefined));
    this.core = this.#of(root);
  }

  #typeOf(node: Node): ValueType {
    return this.#types.get(node) ?? typeOf("boolean");
  }

  #of = (node: Node): Core => checked(this.#lowered.get(node));

  #lower(node: Node, isNested: boolean): Core {
    const of = this.#of;
    switch (node.kind) {
      case "boolean":
      case "string":
      case "integer":
      case "float":
        return this.#constant(node, node.value);
      case "nil":
        return this.#constant(node, null);
      case "name":
        return checked<Core>(undefined);
      case "pointer":
        return this.#make(node, { kind: "pointer" });
      case "member":
        return this.#member(node);
      case "unary":
        return this.#unary(node);
      case "binary":
        return this.#binary(node);
      case "order":
        return this.#order(node);
      case "logical": {
        const { decides } = rowOf(operatorsOf.logical, node.operator);
        return this.#logical(node, decides, node.operands.map(of));
      }
      case "coalesce":
        return this.#make(node, {
          kind: "coalesce",
          left: of(node.left),
          right: of(node.right),
        });
      case "conditional": {
        const { condition, consequent, alternate } = node;
        return this.#make(node, {
          kind: "if",
          condition: of(condition),
          consequent: consequent ? of(consequent) : this.#constant(node, true),
          alternate: of(alternate),
        });
      }
      case "list": {
        const elements = node.elements.map(of);
        return this.#make(node, { kind: "list", elements });
      }
      case "call": {
        const call = rowOf(valueFunctions, node.name);
        if (call.kind === "network") return checked<Core>(undefined);
        return this.#make(node, {
          kind: "call",
          call,
          args: node.args.map(of),
        });
      }
      case "quantifier":
        return this.#quantifier(node, isNested);
      default:
        return assertNever(node);
    }
  }

  /** Adds its facts to a new node. */
  #make<Made extends CoreNode>(source: Node, node: Made): Made & CoreFacts {
    const { kind, nullable } = this.#typeOf(source);
    return Object.assign(node, {
      span: source.span,
      isBoolean: kind === "boolean",
      mayBeNil: mayBeNil(node, nullable),
      mayFail: mayFail(node),
    });
  }

  #constant(node: Node, value: ConstantValue): Core {
    return this.#make(node, { kind: "constant", value });
  }

  #member(node: NodeOf<"member">): Core {
    const { object, property } = node;
    const field = fieldNamed(this.#typeOf(node).name ?? "");
    if (field) return this.#make(node, { kind: "field", field });
    const list = this.#of(object);
    const index = this.#of(property);
    if (list.kind === "field")
      return this.#make(node, {
        kind: "header",
        field: list.field,
        name: index,
      });
    return this.#make(node, { kind: "element", list, index });
  }

  #unary(node: NodeOf<"unary">): Core {
    const operand = this.#of(node.operand);
    if (node.operator === "+") return operand;
    const value = operand.kind === "constant" ? operand.value : undefined;
    if (node.operator === "!")
      return typeof value === "boolean"
        ? this.#constant(node, !value)
        : this.#make(node, { kind: "not", operand });
    if (typeof value === "bigint" || typeof value === "number")
      return this.#constant(node, -value);
    const call = { kind: "negative" } as const;
    return this.#make(node, { kind: "call", call, args: [operand] });
  }

  #binary(node: NodeOf<"binary">): Core {
    const row = rowOf(binaryOperators, node.operator);
    const [left, right] = [node.left, node.right].map((side) =>
      this.#lowered.get(side),
    );
    const isNot = node.negated || (row.kind === "equality" && row.isNegated);
    const not = (operand: Core) =>
      isNot ? this.#make(node, { kind: "not", operand }) : operand;
    switch (row.kind) {
      case "membership":
        return not(this.#in(node));
      case "equality": {
        const equal = this.#equal(node, checked(left), checked(right));
        return isNot ? not(equal) : this.#folded(node, equal);
      }
      case "pattern": {
        const pattern = literalText(node.right);
        const read = readPattern(pattern);
        if ("mistake" in read) return checked<Core>(undefined);
        const text = checked(left);
        return not(this.#make(node, { kind: "matches", text, pattern, read }));
      }
      case "text":
        return not(
          this.#make(node, {
            kind: "text",
            operator: row,
            left: checked(left),
            right: checked(right),
          }),
        );
      default:
        return assertNever(row);
    }
  }

  #equal(node: NodeOf<"binary">, left: Core, right: Core) {
    const [a, b] = [this.#typeOf(node.left), this.#typeOf(node.right)];
    const isDirect = a.kind === "string" || a.kind === "integer";
    const failsOnNil = isDirect && a.kind === b.kind && !a.loose && !b.loose;
    return this.#make(node, {
      kind: "equal",
      left,
      right,
      failsOnNil,
    } as const);
  }

  /** `==` between literals of one kind is a literal. */
  #folded(node: Node, equal: CoreOf<"equal">): Core {
    const { left: a, right: b } = equal;
    if (a.kind !== "constant" || b.kind !== "constant") return equal;
    const isFolded =
      typeof a.value === typeof b.value &&
      ["bigint", "string", "boolean"].includes(typeof a.value);
    return isFolded ? this.#constant(node, a.value === b.value) : equal;
  }

  #in(node: NodeOf<"binary">): Core {
    const { left, right } = node;
    const { kind } = this.#typeOf(right);
    if (kind === "network") {
      const field = checked(fieldNamed(this.#typeOf(left).name ?? ""));
      const [literal] = right.kind === "call" ? right.args : [];
      const network = checked(parseNetwork(literalText(literal)));
      return this.#make(node, { kind: "network", field, network });
    }
    const list = this.#of(right);
    if (list.kind !== "field") {
      const needle = this.#withZero(
        left,
        zeroOf(node, this.#typeOf(left).kind),
      );
      return this.#make(node, { kind: "in", needle, list });
    }
    // A header was sent if its values do not equal nil.
    const { field } = list;
    const name = this.#withZero(left, "");
    const values = this.#make(right, { kind: "header", field, name });
    const operand = this.#equal(node, values, this.#constant(right, null));
    return this.#make(node, { kind: "not", operand });
  }

  /** A value, with a default in place of nil. */
  #withZero(node: Node, zero: ConstantValue): Core {
    const { kind, nullable } = this.#typeOf(node);
    const left = this.#of(node);
    const canBeNil = nullable || kind === "nil" || kind === "mixed";
    if (!canBeNil || zero === null) return left;
    const right = this.#constant(node, zero);
    return this.#make(node, { kind: "coalesce", left, right });
  }

  #order(node: NodeOf<"order">): Core {
    return this.#make(node, {
      kind: "order",
      operators: node.operators.map((name) => rowOf(operatorsOf.order, name)),
      operands: node.operands.map(this.#of),
    });
  }

  #quantifier(node: NodeOf<"quantifier">, isNested: boolean): Core {
    const row = rowOf(functionsOf.quantifier, node.name);
    const list = this.#of(node.list);
    const condition = node.condition
      ? this.#of(node.condition)
      : this.#make(node, { kind: "pointer" });
    const loop = { list, condition, isNested };
    if (row.result === "boolean") {
      const wanted = !row.negatesCondition;
      const some = this.#make(node, { ...loop, kind: "some", wanted });
      return row.negatesResult
        ? this.#make(node, { kind: "not", operand: some })
        : some;
    }
    const filter = this.#make(node, { ...loop, kind: "filter" });
    if (row.result !== "integer") return filter;
    const call = { kind: "length" } as const;
    return this.#make(node, { kind: "call", call, args: [filter] });
  }

  /** `and` or `or`. A constant operand settles the result, or is left out. */
  #logical(node: Node, decides: boolean, operands: readonly Core[]): Core {
    const isConstant = (operand: Core, value: boolean) =>
      operand.kind === "constant" && operand.value === value;
    if (operands.some((operand) => isConstant(operand, decides)))
      return this.#constant(node, decides);
    const kept = operands.filter((operand) => !isConstant(operand, !decides));
    const [first] = kept;
    if (!first) return this.#constant(node, !decides);
    return kept.length === 1
      ? first
      : this.#make(node, { kind: "logical", decides, operands: kept });
  }
}

function mayBeNil(node: CoreNode, isNullable: boolean): boolean {
  switch (node.kind) {
    case "constant":
      return node.value === null;
    case "if":
      return node.consequent.mayBeNil || node.alternate.mayBeNil;
    case "coalesce":
      return node.right.mayBeNil;
    case "logical":
      return node.operands.at(-1)?.mayBeNil ?? false;
    default:
      return isNullable;
  }
}

function mayFail(node: CoreNode): boolean {
  return (
    node.kind === "element" ||
    ("isNested" in node && node.isNested) ||
    operandsOf(node).some((operand) => operand.mayFail) ||
    failingOn(node).some((operand) => operand.mayBeNil)
  );
}

/** The operands that make a node fail if they are nil. */
function failingOn(node: CoreNode): readonly Core[] {
  switch (node.kind) {
    case "header":
    case "call":
    case "order":
    case "some":
    case "filter":
    case "not":
      return operandsOf(node);
    case "equal":
      return node.failsOnNil ? operandsOf(node) : [];
    case "logical":
      return node.operands.slice(0, -1);
    case "if":
      return [node.condition];
    default:
      return [];
  }
}

/**
 * In a list of literals of one kind, expr-lang looks for the zero of that kind instead
 * of nil.
 */
function zeroOf({ right }: NodeOf<"binary">, left: ValueKind): ConstantValue {
  if (right.kind !== "list" || right.elements.length === 0) return null;
  const isAll = (kind: Node["kind"]) =>
    right.elements.every((element) => element.kind === kind);
  if (isAll("string")) return "";
  return left === "integer" && isAll("integer") ? 0n : null;
}

function literalText(node: Node | undefined): string {
  return checked(node?.kind === "string" ? node.value : undefined);
}

/** Asserts a value that the type check guarantees. */
function checked<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("unchecked");
  return value;
}
