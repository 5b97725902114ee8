import { allKnown } from "../all-known";
import { assertNever } from "../assert-never";
import { childrenFirst } from "../children-first";
import {
  type Core,
  type CoreOf,
  hasNestedLoop,
  headerNameOf,
  literalTextOf,
  operandsOf,
} from "../core/core";
import { coreOf } from "../core/lower";
import { onceFor } from "../once-for";
import {
  findHeader,
  headerNameMistake,
} from "../language/request/header-names";
import { isInNetwork, parseIp } from "../language/request/ip-address";
import {
  type PartialRuleRequest,
  type RuleRequest,
  UNKNOWN,
} from "../language/request/rule-request";
import {
  type ExpressionProblem,
  problemAt,
  type Span,
} from "../language/syntax/problem";
import { HAS_PART } from "../language/tables/operators";
import { isBefore, lengthOf } from "../language/text/text";
import type { CheckedExpression } from "../language/types/check-expression";
import { type Part, partsOf, valueOf } from "./part";

/** The value of an expression for a request, or the error of the evaluation. */
export type EvaluationResult =
  | { readonly value: boolean }
  | { readonly error: ExpressionProblem };

/** The result of a partial evaluation, or the unknown parts of the request that it depends on. */
export type PartialResult = EvaluationResult | { readonly unknown: string[] };

/** A compiled expression, which can be evaluated many times. */
export interface CompiledExpression {
  readonly source: string;
  evaluate(request: RuleRequest): EvaluationResult;
  /**
   * Evaluates a request with unknown parts. `value: true` and `error` hold for every
   * value of the unknown parts. `value: false` means that the expression is true for no
   * value of them: it is false or fails.
   */
  evaluatePartly(request: PartialRuleRequest): PartialResult;
}

const TRUE: EvaluationResult = Object.freeze({ value: true });
const FALSE: EvaluationResult = Object.freeze({ value: false });

/** Compiles a checked expression to closures, once. Neither compiling nor evaluating throws. */
export const compileExpression = onceFor((checked: CheckedExpression) =>
  compileCore(coreOf(checked), checked.source),
);

/** Compiles the core of an expression. Places of errors refer to the source. */
export function compileCore(core: Core, source = ""): CompiledExpression {
  const run = compileNodes(core);
  /** Most expressions are never evaluated partly. */
  let partly: PartialRun | undefined;
  const failed = onceFor(({ span, message }: Failure) => ({
    error: problemAt(source, span, message),
  }));
  const gaveUp = (error: unknown) =>
    failed({
      span: { offset: 0, length: source.length },
      message: messageOf(error),
    });
  return {
    source,
    evaluate: (request) => {
      const evaluation = new Evaluation(request);
      try {
        const value = run(evaluation);
        if (evaluation.failure) return failed(evaluation.failure);
        return value === true ? TRUE : FALSE;
      } catch (error) {
        return gaveUp(error);
      }
    },
    evaluatePartly: (request) => {
      try {
        partly ??= compilePartly(core);
        // What reads an unknown part is not evaluated.
        const evaluation = new Evaluation(request as RuleRequest);
        const results = partly(evaluation);
        const { unknown, leafFailure } = evaluation;
        if (results === CAN_BE_TRUE) return TRUE;
        if (results & CAN_BE_TRUE) return { unknown: [...new Set(unknown)] };
        return leafFailure && results === CAN_FAIL
          ? failed(leafFailure)
          : FALSE;
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

/**
 * Compiles an expression once, to evaluate it many times with another condition in place
 * of one of its nodes. The other condition may contain conditions of the expression,
 * which are not compiled again. The function that it returns says whether the changed
 * expression is true.
 */
export function compileReplaceable(root: Core) {
  const originals = new Map<Core, Run>();
  const run = compileNodes(root, undefined, (node, original) => {
    originals.set(node, original);
    return (evaluation) => {
      const { instead } = evaluation;
      return instead?.node === node
        ? instead.run(evaluation)
        : original(evaluation);
    };
  });
  return (node: Core, by: Core) => {
    const instead = { node, run: compileNodes(by, originals) };
    return (request: RuleRequest): boolean => {
      const evaluation = new Evaluation(request, instead);
      return run(evaluation) === true && !evaluation.failure;
    };
  };
}

/**
 * @param compiled nodes that are compiled already
 * @param around what is run in place of each node that is a condition
 */
function compileNodes(
  root: Core,
  compiled: ReadonlyMap<Core, Run> = new Map(),
  around?: (node: Core, run: Run) => Run,
): Run {
  const runs = new Map<Core, Run>();
  // Not one map: of a long expression, each edit would copy it.
  const runOf = (node: Core): Run =>
    compiled.get(node) ?? runs.get(node) ?? (() => undefined);
  const nodes = childrenFirst(root, (node) =>
    compiled.has(node) ? [] : operandsOf(node),
  );
  for (const node of nodes) {
    if (compiled.has(node)) continue;
    const run = compileNode(node, runOf);
    runs.set(node, around && node.isBoolean ? around(node, run) : run);
  }
  return runOf(root);
}

function compileNode(node: Core, runOf: RunOf): Run {
  switch (node.kind) {
    case "constant": {
      const { value } = node;
      return () => value;
    }
    case "pointer":
      return (evaluation) => evaluation.element;
    case "field": {
      const { read } = node.field;
      return ({ request }) => read(request) as Value;
    }
    case "header":
      return compileHeader(node, runOf);
    case "network": {
      const { network } = node;
      return ({ request }) => {
        const ip = request.ip === undefined ? undefined : parseIp(request.ip);
        return !!ip && isInNetwork(ip, network);
      };
    }
    case "list": {
      const literals = allKnown(
        node.elements.map((one) => ("value" in one ? one.value : undefined)),
      );
      if (literals) return () => literals;
      const elements = node.elements.map(runOf);
      return (evaluation) => elements.map((element) => element(evaluation));
    }
    case "element":
      return compileElement(node, runOf);
    case "call":
      return compileCall(node, runOf);
    case "text":
      return compileText(node, runOf);
    case "matches": {
      const textOf = runOf(node.text);
      const { test } = node.read;
      return (evaluation) => {
        const text = textOf(evaluation);
        return typeof text === "string" && test(text);
      };
    }
    case "equal":
      return compileEqual(node, runOf);
    case "in":
      return compileIn(node, runOf);
    case "order":
      return compileOrder(node, runOf);
    case "some":
    case "filter":
      return compileLoop(node, runOf);
    case "not": {
      const operand = runOf(node.operand);
      const failure = nilFailure(node.operand);
      return (evaluation) => {
        const value = operand(evaluation);
        return value === null ? evaluation.fail(failure) : !value;
      };
    }
    case "logical":
      return compileLogical(node, runOf);
    case "if": {
      const condition = runOf(node.condition);
      const failure = nilFailure(node.condition);
      const consequent = runOf(node.consequent);
      const alternate = runOf(node.alternate);
      return (evaluation) => {
        const value = condition(evaluation);
        if (value === true) return consequent(evaluation);
        return value === false
          ? alternate(evaluation)
          : evaluation.fail(failure);
      };
    }
    case "coalesce": {
      const [left, right] = [runOf(node.left), runOf(node.right)];
      return (evaluation) => {
        const value = left(evaluation);
        return value === null || value === MISSING ? right(evaluation) : value;
      };
    }
    default:
      return assertNever(node);
  }
}

function compileHeader({ name }: CoreOf<"header">, runOf: RunOf): Run {
  const literal = literalTextOf(name);
  // Only a name such as `constructor` can be found in the prototype of the headers.
  if (literal !== undefined && !(literal in Object.prototype))
    return ({ request }) => request.headers[literal] ?? MISSING;
  const nameOf = runOf(name);
  const failure = nilFailure(name);
  return (evaluation) => {
    const text = nameOf(evaluation);
    return typeof text === "string"
      ? (findHeader(evaluation.request.headers, text) ?? MISSING)
      : evaluation.fail(failure);
  };
}

function compileElement(
  { list, index, span }: CoreOf<"element">,
  runOf: RunOf,
): Run {
  const failure: Failure = {
    message: `there is no such element: ${whyMissing(list)}`,
    span,
  };
  const [listOf, indexOf] = [runOf(list), runOf(index)];
  const literal = index.kind === "constant" ? Number(index.value) : undefined;
  return (evaluation) => {
    const elements = listOf(evaluation);
    const at = literal ?? indexOf(evaluation);
    const value =
      isList(elements) && at !== null ? elements.at(Number(at)) : undefined;
    return value === undefined ? evaluation.fail(failure) : value;
  };
}

/** Why a list lacks an element. A header's name may be in a spelling that no request has. */
function whyMissing(list: Core): string {
  const name = headerNameOf(list);
  const mistake = name === undefined ? undefined : headerNameMistake(name);
  return mistake?.message ?? "the list is shorter, or the header was not sent";
}

function compileCall(node: CoreOf<"call">, runOf: RunOf): Run {
  const { call, args } = node;
  const [operand = node, second] = args;
  const one = runOf(operand);
  if (call.kind === "text") {
    const failure = nilFailure(node);
    const other = second && runOf(second);
    return (evaluation) => {
      const [text, cutset] = [one(evaluation), other?.(evaluation)];
      return typeof text !== "string" || cutset === null
        ? evaluation.fail(failure)
        : call.apply(text, cutset as string | undefined);
    };
  }
  const isSign = call.kind === "negative";
  const failure = nilFailure(isSign ? operand : node);
  return (evaluation) => {
    const value = one(evaluation);
    if (value === null || value === undefined) return evaluation.fail(failure);
    return isSign ? -(value as number) : sizeOf(value);
  };
}

function sizeOf(value: NonNullable<Value>): bigint {
  if (typeof value === "string") return BigInt(lengthOf(value));
  return BigInt(isList(value) ? value.length : Object.keys(value).length);
}

function compileText(
  { operator, left, right }: CoreOf<"text">,
  runOf: RunOf,
): Run {
  const holds = HAS_PART[operator.place];
  const [textOf, partOf] = [runOf(left), runOf(right)];
  const literal = literalTextOf(right);
  return (evaluation) => {
    const text = textOf(evaluation);
    const part = literal ?? partOf(evaluation);
    return (
      typeof text === "string" && typeof part === "string" && holds(text, part)
    );
  };
}

function compileEqual(node: CoreOf<"equal">, runOf: RunOf): Run {
  const [left, right] = [runOf(node.left), runOf(node.right)];
  if (!node.failsOnNil)
    return (evaluation) => areEqual(left(evaluation), right(evaluation));
  const failure = nilFailure(node);
  const literal = "value" in node.right ? node.right.value : undefined;
  return (evaluation) => {
    const one = left(evaluation);
    const other = literal ?? right(evaluation);
    return one === null || other === null
      ? evaluation.fail(failure)
      : one === other;
  };
}

function compileIn({ needle, list }: CoreOf<"in">, runOf: RunOf): Run {
  const [needleOf, listOf] = [runOf(needle), runOf(list)];
  // A list of literals may have thousands.
  const texts =
    list.kind === "list" && allKnown(list.elements.map(literalTextOf));
  if (texts) {
    const known = new Set<Value>(texts);
    return (evaluation) => known.has(needleOf(evaluation));
  }
  return (evaluation) => {
    const one = needleOf(evaluation);
    const many = listOf(evaluation);
    return isList(many) && many.some((value) => areEqual(value, one));
  };
}

/** Compiles a chain: every operand is compared with the next one, until a comparison is false. */
function compileOrder(node: CoreOf<"order">, runOf: RunOf): Run {
  const failure = nilFailure(node);
  const [first = () => undefined, ...others] = node.operands.map(runOf);
  const { operators } = node;
  return (evaluation) => {
    let left = first(evaluation);
    for (let i = 0; i < others.length; i++) {
      const right = others[i]?.(evaluation);
      const operator = operators[i];
      const less = operator?.isSwapped
        ? isLess(right, left)
        : isLess(left, right);
      if (less === undefined) return evaluation.fail(failure);
      if (less === operator?.isNegated) return false;
      left = right;
    }
    return true;
  };
}

/**
 * How many elements nested loops may visit in one evaluation of an expression. Each
 * level of nesting multiplies the number by the length of a list, so that without a
 * bound six levels over fifty values never end. A loop that is not nested takes time
 * linear in the request, and has no bound. docs/assumptions.md, A189.
 */
const MAX_NESTED_VALUES = 100_000;

/** Compiles a loop: `some` ends at the first element that is wanted, and `filter` keeps all that meet the condition. */
function compileLoop(node: CoreOf<"some" | "filter">, runOf: RunOf): Run {
  const [list, condition] = [runOf(node.list), runOf(node.condition)];
  const failure = nilFailure(node);
  const tooMany = {
    ...failure,
    message: `this would ask about more than ${MAX_NESTED_VALUES.toLocaleString("en")} values of lists for each other`,
  };
  const isSome = node.kind === "some";
  const wanted = isSome ? node.wanted : true;
  const { isNested } = node;
  return (evaluation) => {
    const elements = list(evaluation);
    if (!isList(elements)) return evaluation.fail(failure);
    if (isNested) evaluation.nestedValues += elements.length;
    if (evaluation.nestedValues > MAX_NESTED_VALUES)
      return evaluation.fail(tooMany);
    const outer = evaluation.element;
    const found: Value[] | undefined = isSome ? undefined : [];
    let isFound = false;
    for (const element of elements) {
      evaluation.element = element;
      const holds = condition(evaluation);
      if (typeof holds !== "boolean") evaluation.fail(failure);
      if (evaluation.failure) break;
      if (holds !== wanted) continue;
      isFound = true;
      if (!found) break;
      found.push(element);
    }
    evaluation.element = outer;
    return found ?? isFound;
  };
}

/** Compiles `and` or `or`. The value of the last operand is the result even if it is nil. */
function compileLogical(node: CoreOf<"logical">, runOf: RunOf): Run {
  const { decides } = node;
  const failure = nilFailure(node);
  const operands = node.operands.map(runOf);
  const last = operands.length - 1;
  return (evaluation) => {
    for (let i = 0; i < last; i++) {
      const value = operands[i]?.(evaluation);
      if (value === decides) return decides;
      if (value !== !decides) return evaluation.fail(failure);
    }
    return operands[last]?.(evaluation);
  };
}

/**
 * The results that a condition may have, over all values of the unknown parts: a sum of
 * these bits.
 */
type PossibleResults = number;
const CAN_BE_TRUE = 1;
const CAN_BE_FALSE = 2;
const CAN_FAIL = 4;

/** Compiles an expression for partial evaluation: its logic combines what its leaves may result in. */
function compilePartly(root: Core): PartialRun {
  // The elements that nested loops visit are counted over the whole expression.
  const isWhole = hasNestedLoop(root);
  const isInner = (node: Core): node is Logic => !isWhole && isLogic(node);
  const runs = new Map<Core, PartialRun>();
  const runOf = (node: Core): PartialRun => runs.get(node) ?? (() => CAN_FAIL);
  for (const node of childrenFirst(root, (node) =>
    isInner(node) ? operandsOf(node) : [],
  ))
    runs.set(
      node,
      isInner(node) ? compileLogicPartly(node, runOf) : compileLeaf(node),
    );
  return runOf(root);
}

/** A node that combines booleans. */
type Logic = CoreOf<"logical" | "not" | "if">;

/** Whether a node combines booleans. A node with an operand that may be nil is evaluated as a whole. */
export function isLogic(node: Core): node is Logic {
  const isConnective =
    node.kind === "logical" || node.kind === "not" || node.kind === "if";
  return isConnective && operandsOf(node).every(({ mayBeNil }) => !mayBeNil);
}

function compileLogicPartly(
  node: Logic,
  runOf: (node: Core) => PartialRun,
): PartialRun {
  switch (node.kind) {
    case "not": {
      const operand = runOf(node.operand);
      return (evaluation) => {
        const found = operand(evaluation);
        return (
          (found & CAN_FAIL) |
          (found & CAN_BE_TRUE && CAN_BE_FALSE) |
          (found & CAN_BE_FALSE && CAN_BE_TRUE)
        );
      };
    }
    case "if": {
      const condition = runOf(node.condition);
      const consequent = runOf(node.consequent);
      const alternate = runOf(node.alternate);
      return (evaluation) => {
        const found = condition(evaluation);
        return (
          (found & CAN_FAIL) |
          (found & CAN_BE_TRUE && consequent(evaluation)) |
          (found & CAN_BE_FALSE && alternate(evaluation))
        );
      };
    }
    case "logical": {
      const operands = node.operands.map(runOf);
      // After a result that does not decide, the next operand is evaluated.
      const open = node.decides ? CAN_BE_FALSE : CAN_BE_TRUE;
      return (evaluation) => {
        let found: PossibleResults = open;
        for (const operand of operands) {
          if (!(found & open)) break;
          found = (found & ~open) | operand(evaluation);
        }
        return found;
      };
    }
  }
}

/** A leaf is evaluated if everything that it reads is known, and may otherwise have any result. */
function compileLeaf(node: Core): PartialRun {
  const run = compileNodes(node);
  const parts = partsOf(node);
  const any = CAN_BE_TRUE | CAN_BE_FALSE | (node.mayFail ? CAN_FAIL : 0);
  return (evaluation) => {
    const request: PartialRuleRequest = evaluation.request;
    const isUnknown = (part: Part) => valueOf(request, part) === UNKNOWN;
    if (parts.some(isUnknown)) {
      const names = parts.filter(isUnknown).map(({ name }) => name);
      (evaluation.unknown ??= []).push(...names);
      return any;
    }
    const value = request.answers?.get(node) ?? run(evaluation);
    const { failure } = evaluation;
    evaluation.failure = undefined;
    evaluation.leafFailure ??= failure;
    if (failure) return CAN_FAIL;
    return value === true ? CAN_BE_TRUE : CAN_BE_FALSE;
  };
}

/** A compiled node. It returns the value of the node; undefined if the evaluation failed. */
type Run = (evaluation: Evaluation) => Value;

/** The compiled form of a node. */
type RunOf = (node: Core) => Run;

/** A node that is compiled for partial evaluation. */
type PartialRun = (evaluation: Evaluation) => PossibleResults;

/** Why and where an evaluation fails. It is made when its node is compiled, not when it fails. */
interface Failure {
  readonly message: string;
  readonly span: Span;
}

/**
 * The state of one evaluation: the request, and the element that `#` stands for.
 * A failure is kept here instead of being thrown: a header that was not sent is
 * common, and throwing takes far longer than evaluating.
 */
class Evaluation {
  element: Value = undefined;
  /** The first failure. After a failure, the value of the expression has no meaning. */
  failure: Failure | undefined = undefined;
  /** The number of elements that nested quantifiers have visited so far. */
  nestedValues = 0;
  /** The first failure of a leaf, which does not end a partial evaluation. */
  leafFailure: Failure | undefined = undefined;
  /** Names of the unknown parts that a partial result depends on; some may be repeated. */
  unknown: string[] | undefined = undefined;

  constructor(
    readonly request: RuleRequest,
    /** What is run in place of a node (`compileReplaceable`). */
    readonly instead?: { readonly node: Core; readonly run: Run },
  ) {}

  /** Keeps the first failure. @returns undefined, which no operator accepts */
  fail(failure: Failure): undefined {
    this.failure ??= failure;
  }
}

/** The failure of a node that needs a value and gets nil. */
function nilFailure({ span }: Core): Failure {
  return { message: "this is nil where a value is needed", span };
}

/** The value of a node. Integers are `bigint`, and nil is `null`. */
export type Value =
  | boolean
  | string
  | bigint
  | number
  | null
  | readonly Value[]
  | Headers
  | undefined;

/** Header names to lists of values. */
type Headers = Readonly<Record<string, readonly string[]>>;

/** The values of a header that was not sent: an empty list that equals nil. */
const MISSING: readonly string[] = Object.freeze([]);

const isList = (value: Value): value is readonly Value[] =>
  Array.isArray(value);

/**
 * Whether two values are equal in expr-lang. Values of different types are never equal,
 * except integers and floats.
 */
export function areEqual(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a === "bigint" && typeof b === "number") return Number(a) === b;
  if (typeof a === "number" && typeof b === "bigint") return a === Number(b);
  if (isList(a) && isList(b))
    return a.length === b.length && a.every((v, i) => areEqual(v, b[i]));
  return (a === null && b === MISSING) || (a === MISSING && b === null);
}

/** Whether `a < b`; undefined for values without an order. */
export function isLess(a: Value, b: Value): boolean | undefined {
  if (typeof a === "string" && typeof b === "string") return isBefore(a, b);
  if (typeof a === "bigint" && typeof b === "bigint") return a < b;
  const isNumeric = [a, b].every((v) =>
    ["bigint", "number"].includes(typeof v),
  );
  return isNumeric ? Number(a) < Number(b) : undefined;
}
