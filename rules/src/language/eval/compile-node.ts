import { assertNever } from "../../assert-never";
import type { Node, NodeOf } from "../syntax/ast";
import { compileBinary } from "./compile-operators";
import { compileOrder } from "./compile-order";
import { compileFirst, compileQuantifier } from "./compile-quantifiers";
import { nilFailure, type Failure, type Run } from "./evaluation";
import { fieldNamed } from "../fields";
import { findHeader, headerFinder } from "../header-names";
import { parseNetwork } from "../ip-address";
import { lengthOf, lower, trim, upper } from "./text";
import { MISSING, type Headers, type Value } from "./value";
import type { ValueType } from "../types/value-type";

/** What compiling a node needs: the types, and its parts compiled before it. */
export interface Parts {
  readonly typeOf: (node: Node) => ValueType;
  readonly runOf: (node: Node) => Run;
}

/** A node as a closure, its parts compiled already. Its type was checked. */
export function compileNode(node: Node, parts: Parts): Run {
  const { runOf } = parts;
  switch (node.kind) {
    case "boolean":
    case "string":
    case "integer":
    case "float": {
      const { value } = node;
      return () => value;
    }
    case "nil":
      return () => null;
    case "name":
      return () => undefined;
    case "pointer":
      return (evaluation) => evaluation.element;
    case "member":
      return compileMember(node, parts);
    case "unary":
      return compileUnary(node, parts);
    case "binary":
      return compileBinary(node, parts);
    case "order":
      return compileOrder(node, parts);
    case "logical":
      return compileLogical(node, parts);
    case "coalesce": {
      const [left, right] = [runOf(node.left), runOf(node.right)];
      return (evaluation) => {
        const value = left(evaluation);
        return value === null || value === MISSING ? right(evaluation) : value;
      };
    }
    case "conditional": {
      const condition = runOf(node.condition);
      const failure = nilFailure(node.condition);
      const consequent = runOf(node.consequent ?? node.condition);
      const alternate = runOf(node.alternate);
      return (evaluation) => {
        const value = condition(evaluation);
        if (value === true) return consequent(evaluation);
        return value === false
          ? alternate(evaluation)
          : evaluation.fail(failure);
      };
    }
    case "list": {
      const elements = node.elements.map(runOf);
      return (evaluation) => elements.map((element) => element(evaluation));
    }
    case "call":
      return compileCall(node, parts);
    case "quantifier":
      return compileQuantifier(node, parts);
    default:
      return assertNever(node);
  }
}

function compileMember(node: NodeOf<"member">, parts: Parts): Run {
  const { typeOf, runOf } = parts;
  const field = fieldNamed(typeOf(node).name ?? "");
  if (field?.type === "ip") return () => undefined;
  if (field) {
    const { read } = field;
    return ({ request }) => read(request) as Value;
  }
  const object = compileFirst(node, parts) ?? runOf(node.object);
  const { kind } = typeOf(node.object);
  if (kind === "group") return () => undefined;
  if (kind === "headers") {
    if (node.property.kind === "string") {
      const find = headerFinder(node.property.value);
      return ({ request }) => find(request.headers) ?? MISSING;
    }
    const key = runOf(node.property);
    const failure = nilFailure(node.property);
    return (evaluation) => {
      const name = key(evaluation);
      return typeof name === "string"
        ? (findHeader(evaluation.request.headers, name) ?? MISSING)
        : evaluation.fail(failure);
    };
  }
  const missing: Failure = {
    message:
      "there is no such element: the list is shorter, or the header was not sent",
    span: node.span,
  };
  if (node.property.kind === "integer") {
    const at = Number(node.property.value);
    return (evaluation) => {
      const list = object(evaluation) as readonly Value[] | undefined;
      const value = list?.at(at);
      return value === undefined ? evaluation.fail(missing) : value;
    };
  }
  const index = runOf(node.property);
  return (evaluation) => {
    const list = object(evaluation);
    const at = index(evaluation);
    const value =
      Array.isArray(list) && typeof at === "bigint"
        ? (list as readonly Value[]).at(Number(at))
        : undefined;
    return value === undefined ? evaluation.fail(missing) : value;
  };
}

function compileUnary(node: NodeOf<"unary">, { runOf }: Parts): Run {
  const operand = runOf(node.operand);
  const failure = nilFailure(node.operand);
  if (node.operator === "+") return operand;
  const isNot = node.operator === "!";
  return (evaluation) => {
    const value = operand(evaluation);
    if (value === null || value === undefined) return evaluation.fail(failure);
    return isNot ? !value : -(value as number);
  };
}

/** The last operand passes as it is: nil at the end of a chain is for others to refuse. */
function compileLogical(node: NodeOf<"logical">, { runOf }: Parts): Run {
  const decides = node.operator === "||";
  const failure = nilFailure(node);
  const operands = node.operands.map(runOf);
  const last = operands.length - 1;
  const [left, right] = operands;
  if (left && right && last === 1)
    return (evaluation) => {
      const value = left(evaluation);
      if (value === decides) return decides;
      return value === !decides ? right(evaluation) : evaluation.fail(failure);
    };
  return (evaluation) => {
    for (let i = 0; i < last; i++) {
      const value = operands[i]?.(evaluation);
      if (value === decides) return decides;
      if (value !== !decides) return evaluation.fail(failure);
    }
    return operands[last]?.(evaluation);
  };
}

function compileCall(node: NodeOf<"call">, { runOf }: Parts): Run {
  const { name, args } = node;
  const [text, cutset] = args.map(runOf);
  const failure = nilFailure(node);
  if (name === "cidr") {
    const [literal] = args;
    const network =
      literal?.kind === "string" ? parseNetwork(literal.value) : undefined;
    return () => network;
  }
  if (name === "len")
    return (evaluation) => {
      const value = text?.(evaluation);
      if (value === null || value === undefined)
        return evaluation.fail(failure);
      if (typeof value === "string") return BigInt(lengthOf(value));
      return BigInt(
        Array.isArray(value)
          ? value.length
          : Object.keys(value as Headers).length,
      );
    };
  const change = { lower, upper, trim }[name];
  return (evaluation) => {
    const value = text?.(evaluation);
    const second = cutset?.(evaluation);
    if (typeof value !== "string" || second === null)
      return evaluation.fail(failure);
    return change(value, second as string | undefined);
  };
}
