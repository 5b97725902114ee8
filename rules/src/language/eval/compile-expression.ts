import { assertNever } from "../../assert-never";
import { isInNetwork, parseNetwork } from "../request/ip-address";
import {
  fieldNamed,
  binaryOperators,
  operatorsOf,
  rowOf,
  valueFunctions,
} from "../tables/lookup";
import type { OrderOperatorRow } from "../tables/operators";
import { findHeader, headerNameMistake } from "../request/header-names";
import { readPattern } from "../regex/pattern";
import type { PartialRuleRequest, RuleRequest } from "../request/rule-request";
import { type Node, type NodeOf, postOrder } from "../syntax/ast";
import { type ExpressionProblem, problemAt } from "../syntax/problem";
import type { CheckedExpression } from "../types/check-expression";
import { typeOf } from "../types/value-type";
import { PartialCompiler } from "./evaluate-partly";
import {
  compileFirst,
  compileQuantifier,
  compileThreshold,
} from "./compile-quantifier";
import {
  areEqual,
  clientIp,
  Evaluation,
  type EvaluationResult,
  type Failure,
  type Headers,
  isLess,
  MISSING,
  nilFailure,
  type PartialResult,
  type Parts,
  type Run,
  type Value,
} from "./evaluation";
import { optimise } from "./optimise";
import { lengthOf } from "../text/text";

/** A compiled expression, which can be evaluated many times. */
export interface CompiledExpression {
  readonly source: string;
  evaluate(request: RuleRequest): EvaluationResult;
  /**
   * Evaluates a request of which parts are unknown. `value: true` and `error` hold
   * for every value of the unknown parts. `value: false` means that the expression
   * is true for none of them: it is false or fails.
   */
  evaluatePartly(request: PartialRuleRequest): PartialResult;
}

const TRUE: EvaluationResult = Object.freeze({ value: true });
const FALSE: EvaluationResult = Object.freeze({ value: false });

/** Compiles a checked expression to closures. Neither compiling nor evaluating throws. */
export function compileExpression(
  checked: CheckedExpression,
): CompiledExpression {
  const { source } = checked;
  const types = new Map(checked.types);
  const typeOfNode = (node: Node) => types.get(node) ?? typeOf("boolean");
  const root = optimise(checked.root, (from, to) => {
    // A node that replaces another one takes over its type, unless it has one already.
    if (!types.has(to)) types.set(to, typeOfNode(from));
  });
  const runs = new Map<Node, Run>();
  const runOf = (node: Node): Run => runs.get(node) ?? (() => undefined);
  const visits = postOrder(root);
  const within = new Set(
    visits.filter(({ around }) => around).map(({ node }) => node),
  );
  const isWithinQuantifier = (node: Node) => within.has(node);
  const parts = { typeOf: typeOfNode, runOf, isWithinQuantifier };
  for (const { node } of visits) runs.set(node, compileNode(node, parts));
  const run = runOf(root);

  const problems = new Map<Failure, { error: ExpressionProblem }>();
  const failed = (failure: Failure) => {
    const { span, message } = failure;
    const known = problems.get(failure);
    const result = known ?? { error: problemAt(source, span, message) };
    if (!known) problems.set(failure, result);
    return result;
  };
  const gaveUp = (error: unknown) => ({
    error: problemAt(
      source,
      { offset: 0, length: source.length },
      messageOf(error),
    ),
  });
  const evaluate = (run: Run, request: RuleRequest): EvaluationResult => {
    const evaluation = new Evaluation(request);
    try {
      const value = run(evaluation);
      if (evaluation.failure) return failed(evaluation.failure);
      return value === true ? TRUE : FALSE;
    } catch (error) {
      return gaveUp(error);
    }
  };
  let partly: PartialCompiler | undefined;
  return {
    source,
    evaluate: (request) => evaluate(run, request),
    evaluatePartly: (request) => {
      try {
        partly ??= new PartialCompiler(root, parts, evaluate);
        return partly.evaluate(request);
      } catch (error) {
        return gaveUp(error);
      }
    },
  };
}

function messageOf(error: unknown): string {
  if (error instanceof RangeError)
    return "this expression is nested too deeply for the stack that is left";
  return error instanceof Error ? error.message : String(error);
}

/** Compiles one node whose children are compiled. */
function compileNode(node: Node, parts: Parts): Run {
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
      const name = node.property.value;
      return ({ request }) => findHeader(request.headers, name) ?? MISSING;
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
    message: `there is no such element: ${whyMissing(node.object, parts)}`,
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

/** Why a list lacks an element. The name of a header may be spelt as none is. */
function whyMissing(list: Node, { typeOf }: Parts): string {
  const isHeader =
    list.kind === "member" && typeOf(list.object).kind === "headers";
  const mistake =
    isHeader && list.property.kind === "string"
      ? headerNameMistake(list.property.value)
      : undefined;
  return mistake?.message ?? "the list is shorter, or the header was not sent";
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

/** Compiles `&&` or `||`. The value of the last operand is the result even if it is nil. */
function compileLogical(node: NodeOf<"logical">, { runOf }: Parts): Run {
  const { decides } = rowOf(operatorsOf.logical, node.operator);
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
  const row = rowOf(valueFunctions, name);
  const [text, cutset] = args.map(runOf);
  const failure = nilFailure(node);
  if (row.kind === "network") {
    const [literal] = args;
    const network =
      literal?.kind === "string" ? parseNetwork(literal.value) : undefined;
    return () => network;
  }
  if (row.kind === "length")
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
  const { apply } = row;
  return (evaluation) => {
    const value = text?.(evaluation);
    const second = cutset?.(evaluation);
    if (typeof value !== "string" || second === null)
      return evaluation.fail(failure);
    return apply(value, second as string | undefined);
  };
}

/** Compiles a binary operator and the `not` in front of it. */
function compileBinary(node: NodeOf<"binary">, parts: Parts): Run {
  const run = compilePlain(node, parts);
  return node.negated ? (evaluation) => !run(evaluation) : run;
}

function compilePlain(node: NodeOf<"binary">, parts: Parts): Run {
  const row = rowOf(binaryOperators, node.operator);
  switch (row.kind) {
    case "equality":
      return compileEqual(node, row.isNegated, parts);
    case "membership":
      return compileIn(node, parts);
    case "pattern":
      return compileMatches(node, parts);
    case "text":
      return compileText(node, row.holds, parts);
    default:
      return assertNever(row);
  }
}

/** Compiles an operator between texts, which is false where one of them is nil. */
function compileText(
  { left, right }: NodeOf<"binary">,
  holds: (left: string, right: string) => boolean,
  { runOf }: Parts,
): Run {
  const textOf = runOf(left);
  if (right.kind === "string") {
    const part = right.value;
    return (evaluation) => {
      const text = textOf(evaluation);
      return typeof text === "string" && holds(text, part);
    };
  }
  const partOf = runOf(right);
  return (evaluation) => {
    const text = textOf(evaluation);
    const part = partOf(evaluation);
    return (
      typeof text === "string" && typeof part === "string" && holds(text, part)
    );
  };
}

function compileMatches(
  { left, right }: NodeOf<"binary">,
  { runOf }: Parts,
): Run {
  const pattern =
    right.kind === "string" ? readPattern(right.value) : undefined;
  if (!pattern || "mistake" in pattern) return () => false;
  const textOf = runOf(left);
  const { test } = pattern;
  return (evaluation) => {
    const text = textOf(evaluation);
    return typeof text === "string" && test(text);
  };
}

/** Compiles `==` or `!=`. As in expr-lang, two strings or two integers fail on nil; other types compare with it. */
function compileEqual(
  node: NodeOf<"binary">,
  isNegated: boolean,
  { typeOf, runOf }: Parts,
): Run {
  const [left, right] = [runOf(node.left), runOf(node.right)];
  const [a, b] = [typeOf(node.left), typeOf(node.right)];
  const isEqual = !isNegated;
  const isDirect =
    a.kind === b.kind &&
    (a.kind === "string" || a.kind === "integer") &&
    !a.loose &&
    !b.loose;
  if (!isDirect)
    return (evaluation) =>
      areEqual(left(evaluation), right(evaluation)) === isEqual;
  const failure = nilFailure(node);
  if (node.right.kind === "string") {
    const { value } = node.right;
    return (evaluation) => {
      const one = left(evaluation);
      if (one === null) return evaluation.fail(failure);
      return (one === value) === isEqual;
    };
  }
  return (evaluation) => {
    const one = left(evaluation);
    const other = right(evaluation);
    if (one === null || other === null) return evaluation.fail(failure);
    return (one === other) === isEqual;
  };
}

/** Compiles `in`: an address in a network, a name among headers, or a value in a list. */
function compileIn(node: NodeOf<"binary">, { typeOf, runOf }: Parts): Run {
  const { kind } = typeOf(node.right);
  const left = runOf(node.left);
  if (kind === "network") {
    const [literal] = node.right.kind === "call" ? node.right.args : [];
    const network =
      literal?.kind === "string" ? parseNetwork(literal.value) : undefined;
    return ({ request }) => {
      const ip = clientIp(request);
      return !!ip && !!network && isInNetwork(ip, network);
    };
  }
  if (kind === "headers") {
    if (node.left.kind === "string") {
      const name = node.left.value;
      return ({ request }) => findHeader(request.headers, name) !== undefined;
    }
    return (evaluation) => {
      const name = (left(evaluation) ?? "") as string;
      return findHeader(evaluation.request.headers, name) !== undefined;
    };
  }
  const zero = zeroOf(node, typeOf(node.left).kind);
  const members = textsOf(node.right);
  if (members) return (evaluation) => members.has(left(evaluation) ?? zero);
  const right = runOf(node.right);
  return (evaluation) => {
    const one = left(evaluation);
    const many = right(evaluation);
    const needle = one === null ? zero : one;
    return (
      Array.isArray(many) &&
      many.some((value) => areEqual(value as Value, needle))
    );
  };
}

/** What expr-lang looks for instead of nil in a list of literals of one kind: the zero of that kind. */
function zeroOf({ right }: NodeOf<"binary">, left: string): Value {
  if (right.kind !== "list" || right.elements.length === 0) return null;
  const isAll = (kind: Node["kind"]) =>
    right.elements.every((element) => element.kind === kind);
  if (isAll("string")) return "";
  return left === "integer" && isAll("integer") ? 0n : null;
}

function textsOf(list: Node): ReadonlySet<Value> | undefined {
  if (list.kind !== "list" || list.elements.length === 0) return undefined;
  const texts = list.elements.map((element) =>
    element.kind === "string" ? element.value : undefined,
  );
  return texts.includes(undefined) ? undefined : new Set(texts);
}

/** Compiles a chain of order: every operand is compared with the next one, until a comparison is false. */
function compileOrder(node: NodeOf<"order">, parts: Parts): Run {
  const { operators, operands } = node;
  const failure = nilFailure(node);
  const runs = operands.map(parts.runOf);
  const rows = operators.map((name) => rowOf(operatorsOf.order, name));
  const whole: (Run | undefined)[] = [];
  for (const [i, operator] of operators.entries()) {
    const [left, right] = operands.slice(i, i + 2);
    const threshold =
      left && right && compileThreshold(left, operator, right, parts);
    // expr-lang stops counting early also for the comparison on the other side of the count.
    if (threshold && "count" in threshold) runs[i] = threshold.count;
    if (threshold && "any" in threshold) whole[i] = threshold.any;
  }
  return (evaluation) => {
    let left = whole[0] ? undefined : runs[0]?.(evaluation);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i];
      if (!row) break;
      const any = whole[i];
      if (any && !any(evaluation)) return false;
      const right = runs[i + 1]?.(evaluation);
      if (!any && !isOrdered(row, left, right, evaluation, failure))
        return false;
      left = right;
    }
    return true;
  };
}

function isOrdered(
  { isSwapped, isNegated }: OrderOperatorRow,
  a: Value,
  b: Value,
  evaluation: Evaluation,
  failure: Failure,
): boolean {
  const less = isSwapped ? isLess(b, a) : isLess(a, b);
  if (less === undefined) {
    evaluation.fail(failure);
    return false;
  }
  return less !== isNegated;
}
