import { assertNever } from "../../assert-never";
import type { Expression, Node, NodeOf } from "../syntax/ast";
import { typeOfCall, typeOfQuantifier } from "./check-calls";
import { typeOfBinary, typeOfOrder } from "./check-operators";
import { fieldNamed, isFieldGroup, namesUnder } from "../fields";
import { postOrder } from "../syntax/post-order";
import {
  notSupported,
  problemAt,
  type ExpressionProblem,
  type Span,
} from "../syntax/problem";
import {
  eitherOf,
  isNumber,
  isScalar,
  listOf,
  nameOf,
  typeOf,
  type ValueType,
} from "./value-type";

/** Nobody reads more of them. */
const MAX_PROBLEMS = 100;

/** Gives every node of an expression its type, and collects what is wrong. */
export class Checker {
  readonly types = new Map<Node, ValueType>();
  readonly problems: ExpressionProblem[] = [];

  constructor(readonly expression: Expression) {
    const { root } = expression;
    for (const { node, around } of postOrder(root))
      this.types.set(node, this.#typeOf(node, around));
    const type = this.typeOf(root);
    if (type.kind !== "boolean" && type.kind !== "broken")
      this.refuse(
        root.span,
        `an expression has to be true or false, this is ${nameOf(type)}`,
      );
    this.problems.sort((a, b) => a.offset - b.offset);
  }

  /** The type of a node that was visited. */
  typeOf(node: Node): ValueType {
    return this.types.get(node) ?? typeOf("broken");
  }

  /** Notes a problem; what it makes of the type. */
  refuse(span: Span, message: string): ValueType {
    if (this.problems.length < MAX_PROBLEMS)
      this.problems.push(problemAt(this.expression.source, span, message));
    return typeOf("broken");
  }

  /** Notes that operands do not fit, unless one of them was refused already. */
  mismatch(span: Span, message: string, ...types: ValueType[]): ValueType {
    if (types.some(({ kind }) => kind === "broken")) return typeOf("broken");
    const isOpen = types.some(({ kind, loose }) => loose || kind === "mixed");
    return this.refuse(
      span,
      isOpen ? `${message}; ${notSupported("it")}` : message,
    );
  }

  #typeOf(node: Node, around: Node | undefined): ValueType {
    switch (node.kind) {
      case "boolean":
      case "string":
      case "integer":
      case "float":
      case "nil":
        return typeOf(node.kind);
      case "name":
        return this.#name(node);
      case "pointer":
        return this.#elementOf(around && this.typeOf(around));
      case "member":
        return this.#member(node);
      case "unary":
        return this.#unary(node);
      case "binary":
        return typeOfBinary(this, node);
      case "order":
        return typeOfOrder(this, node);
      case "logical":
        for (const operand of node.operands) this.#boolean(operand);
        return typeOf("boolean");
      case "coalesce":
        return this.#either(node, node.left, node.right);
      case "conditional":
        this.#boolean(node.condition);
        return this.#either(
          node,
          node.consequent ?? node.condition,
          node.alternate,
        );
      case "list":
        return this.#list(node);
      case "call":
        return typeOfCall(this, node);
      case "quantifier":
        return typeOfQuantifier(this, node);
      default:
        return assertNever(node);
    }
  }

  #name({ name, span }: NodeOf<"name">): ValueType {
    if (isFieldGroup(name)) return { ...typeOf("group"), name };
    const known = namesUnder("").join(" or ");
    return this.refuse(
      span,
      name === "$env"
        ? notSupported(name)
        : `${name} is not known; a field begins with ${known}`,
    );
  }

  #elementOf(list: ValueType | undefined): ValueType {
    if (list?.kind !== "list") return typeOf("broken");
    const element = list.element ?? "nil";
    return {
      ...typeOf(element === "nil" ? "mixed" : element),
      loose: list.loose,
    };
  }

  #member(node: NodeOf<"member">): ValueType {
    const { property, span } = node;
    const object = this.typeOf(node.object);
    const key = this.typeOf(property);
    if (object.kind === "broken" || key.kind === "broken")
      return typeOf("broken");
    if (object.kind === "group") return this.#field(object, property);
    if (object.kind === "headers") {
      if (key.kind !== "string")
        return this.mismatch(
          property.span,
          `a header is looked up by its name, this is ${nameOf(key)}`,
          key,
        );
      return key.nullable
        ? this.refuse(
            property.span,
            notSupported("a name of a header that may be nil"),
          )
        : listOf("string", true);
    }
    if (isSignedIndexOfFilter(node))
      return this.refuse(
        span,
        notSupported("an index of filter() with a sign"),
      );
    if (object.kind === "list")
      return key.kind === "integer"
        ? this.#elementOf(object)
        : this.mismatch(
            property.span,
            `an index has to be an integer, this is ${nameOf(key)}`,
            key,
            object,
          );
    return this.mismatch(span, `${nameOf(object)} has no elements`, object);
  }

  #field(group: ValueType, property: Node): ValueType {
    const choice = () =>
      `${group.name} has ${namesUnder(group.name ?? "").join(", ")}`;
    if (property.kind !== "string") return this.refuse(property.span, choice());
    const name = `${group.name}.${property.value}`;
    const field = fieldNamed(name);
    if (field) return { ...typeOf(field.type), name };
    if (isFieldGroup(name)) return { ...typeOf("group"), name };
    return this.refuse(property.span, `${name} is not known; ${choice()}`);
  }

  #unary({ operator, operand, span }: NodeOf<"unary">): ValueType {
    const type = this.typeOf(operand);
    if (operator === "!") {
      this.#boolean(operand);
      return typeOf("boolean");
    }
    return isNumber(type.kind)
      ? type
      : this.mismatch(
          span,
          `${operator} needs a number, this is ${nameOf(type)}`,
          type,
        );
  }

  #boolean(node: Node): void {
    const type = this.typeOf(node);
    if (type.kind !== "boolean")
      this.mismatch(
        node.span,
        `this has to be true or false, but it is ${nameOf(type)}`,
        type,
      );
  }

  #either(node: Node, left: Node, right: Node): ValueType {
    const [a, b] = [this.typeOf(left), this.typeOf(right)];
    const type = eitherOf(a, b);
    if (!type)
      return this.refuse(
        node.span,
        notSupported(`a choice between ${nameOf(a)} and ${nameOf(b)}`),
      );
    // Of `['a'] ?? []`, expr-lang knows the elements; of a condition, it does not.
    const isLeft =
      node.kind === "coalesce" &&
      [a, b].every((one) => one.kind === "list" && !one.fromHeaders) &&
      a.element !== "nil";
    return isLeft ? { ...type, loose: a.loose || b.loose } : type;
  }

  #list({ elements }: NodeOf<"list">): ValueType {
    const types = elements.map((element) => this.typeOf(element));
    for (const element of elements) {
      const type = this.typeOf(element);
      const fits = isScalar(type.kind) || type.kind === "nil";
      if (!fits || type.nullable)
        this.mismatch(
          element.span,
          notSupported(`${nameOf(type)} within a list`),
          { ...type, loose: false },
        );
    }
    const [first] = types;
    if (!first) return listOf("nil");
    const isUniform =
      first.kind !== "nil" && types.every(({ kind }) => kind === first.kind);
    return {
      ...listOf(isUniform ? first.kind : "mixed"),
      loose: types.some(({ loose }) => loose),
    };
  }
}

/** At -1, expr-lang 1.17.8 mixes up its stack: what stands left of it gets lost. */
function isSignedIndexOfFilter({
  object,
  property,
}: NodeOf<"member">): boolean {
  return (
    object.kind === "quantifier" &&
    object.name === "filter" &&
    property.kind === "unary"
  );
}
