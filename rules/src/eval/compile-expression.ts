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
import {
  type IpNetwork,
  isInNetwork,
  parseIp,
} from "../language/request/ip-address";
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
import { partsOf, valueOf } from "./part";
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
  let partly: Run | undefined;
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
        partly ??= compileNodes(core, true);
        // What reads an unknown part is not evaluated.
        const evaluation = new Evaluation(request as RuleRequest);
        const found = possibleResults(partly, evaluation);
        const { canBeTrue, canBeFalse, canFail, failure, unknown } = found;
        if (!canBeTrue) return canBeFalse || !failure ? FALSE : failed(failure);
        return canBeFalse || canFail
          ? { unknown: [...new Set(unknown)] }
          : TRUE;
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
  const run = compileNodes(root, false, (node, original) => {
    originals.set(node, original);
    return (evaluation) => {
      const { instead } = evaluation;
      return instead?.node === node
        ? instead.run(evaluation)
        : original(evaluation);
    };
  });
  return (node: Core, by: Core) => {
    const instead = {
      node,
      run: compileNodes(by, false, undefined, originals),
    };
    return (request: RuleRequest): boolean => {
      const evaluation = new Evaluation(request, instead);
      return run(evaluation) === true && !evaluation.failure;
    };
  };
}

/**
 * @param isPartly whether parts of a request may be unknown
 * @param around what is run in place of each node that is a condition
 * @param compiled nodes that are compiled already
 */
function compileNodes(
  root: Core,
  isPartly = false,
  around?: (node: Core, run: Run) => Run,
  compiled?: ReadonlyMap<Core, Run>,
): Run {
  const runs = new Map<Core, Run>();
  const runOf = (node: Core): Run =>
    compiled?.get(node) ?? runs.get(node) ?? (() => undefined);
  const leaves = isPartly ? leavesOf(root) : undefined;
  const nodes = childrenFirst(root, (node) =>
    compiled?.has(node) ? [] : operandsOf(node),
  );
  for (const node of nodes) {
    if (compiled?.has(node)) continue;
    const run = compileNode(node, runOf, isPartly);
    const own = leaves?.has(node) ? compileLeaf(node, run) : run;
    runs.set(node, around && node.isBoolean ? around(node, own) : own);
  }
  return runOf(root);
}

function compileNode(node: Core, runOf: RunOf, isPartly: boolean): Run {
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
    case "order":
      return compileOrder(node, runOf);
    case "in":
      return compileIn(node, runOf);
    case "some": {
      const each = compileEach(node, runOf);
      const { wanted } = node;
      return (evaluation) => !each(evaluation, (holds) => holds !== wanted);
    }
    case "filter": {
      const each = compileEach(node, runOf);
      return (evaluation) => {
        const found: Value[] = [];
        each(evaluation, (holds, element) => {
          if (holds) found.push(element);
          return true;
        });
        return found;
      };
    }
    case "not": {
      const operand = runOf(node.operand);
      if (!node.operand.mayBeNil && !isPartly)
        return (evaluation) => !operand(evaluation);
      const failure = nilFailure(node.operand);
      return (evaluation) => {
        const value = operand(evaluation);
        if (value instanceof PossibleResults) return value.opposite;
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
        if (value === false) return alternate(evaluation);
        if (!(value instanceof PossibleResults))
          return evaluation.fail(failure);
        return anyOf([
          value.without(true).without(false),
          ...(value.canBeTrue ? [possibleResults(consequent, evaluation)] : []),
          ...(value.canBeFalse ? [possibleResults(alternate, evaluation)] : []),
        ]);
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
  const missing: Failure = {
    message: `there is no such element: ${whyMissing(list)}`,
    span,
  };
  const listOf = runOf(list);
  if (index.kind === "constant") {
    const at = Number(index.value);
    return (evaluation) => {
      const elements = listOf(evaluation) as readonly Value[] | undefined;
      const value = elements?.at(at);
      return value === undefined ? evaluation.fail(missing) : value;
    };
  }
  const indexOf = runOf(index);
  return (evaluation) => {
    const elements = listOf(evaluation);
    const at = indexOf(evaluation);
    const value =
      Array.isArray(elements) && typeof at === "bigint"
        ? (elements as readonly Value[]).at(Number(at))
        : undefined;
    return value === undefined ? evaluation.fail(missing) : value;
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
  const [one = () => undefined, other] = args.map(runOf);
  const [operand = node] = args;
  const failure = nilFailure(call.kind === "negative" ? operand : node);
  if (call.kind === "text") {
    const { apply } = call;
    return (evaluation) => {
      const text = one(evaluation);
      const second = other?.(evaluation);
      if (typeof text !== "string" || second === null)
        return evaluation.fail(failure);
      return apply(text, second as string | undefined);
    };
  }
  const apply = call.kind === "length" ? sizeOf : negative;
  return (evaluation) => {
    const value = one(evaluation);
    return value === null || value === undefined
      ? evaluation.fail(failure)
      : apply(value);
  };
}

function sizeOf(value: NonNullable<Value>): bigint {
  if (typeof value === "string") return BigInt(lengthOf(value));
  return BigInt(
    Array.isArray(value) ? value.length : Object.keys(value as Headers).length,
  );
}

const negative = (value: NonNullable<Value>) => -(value as number);

function compileText(
  { operator, left, right }: CoreOf<"text">,
  runOf: RunOf,
): Run {
  const holds = HAS_PART[operator.place];
  const textOf = runOf(left);
  const literal = literalTextOf(right);
  if (literal !== undefined)
    return (evaluation) => {
      const text = textOf(evaluation);
      return typeof text === "string" && holds(text, literal);
    };
  const partOf = runOf(right);
  return (evaluation) => {
    const text = textOf(evaluation);
    const part = partOf(evaluation);
    return (
      typeof text === "string" && typeof part === "string" && holds(text, part)
    );
  };
}

function compileEqual(node: CoreOf<"equal">, runOf: RunOf): Run {
  const [left, right] = [runOf(node.left), runOf(node.right)];
  const isWithNil = node.right.kind === "constant" && node.right.value === null;
  if (isWithNil)
    return (evaluation) => {
      const value = left(evaluation);
      return value === null || value === MISSING;
    };
  if (!node.failsOnNil)
    return (evaluation) => areEqual(left(evaluation), right(evaluation));
  const failure = nilFailure(node);
  if (node.right.kind === "constant") {
    const { value } = node.right;
    return (evaluation) => {
      const one = left(evaluation);
      return one === null ? evaluation.fail(failure) : one === value;
    };
  }
  return (evaluation) => {
    const one = left(evaluation);
    const other = right(evaluation);
    return one === null || other === null
      ? evaluation.fail(failure)
      : one === other;
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

function compileIn({ needle, list }: CoreOf<"in">, runOf: RunOf): Run {
  const needleOf = runOf(needle);
  const texts = textsOf(list);
  if (texts) return (evaluation) => texts.has(needleOf(evaluation));
  const listOf = runOf(list);
  return (evaluation) => {
    const one = needleOf(evaluation);
    const many = listOf(evaluation);
    return (
      Array.isArray(many) && many.some((value) => areEqual(value as Value, one))
    );
  };
}

function textsOf(list: Core): ReadonlySet<Value> | undefined {
  if (list.kind !== "list") return undefined;
  const texts = allKnown(list.elements.map(literalTextOf));
  return texts && new Set(texts);
}

/**
 * How many elements nested loops may visit in one evaluation of an expression. Each
 * level of nesting multiplies the number by the length of a list, so that without a
 * bound six levels over fifty values never end. A loop that is not nested takes time
 * linear in the request, and has no bound. docs/assumptions.md, A189.
 */
const MAX_NESTED_VALUES = 100_000;

/** Compiles a loop over the list that ends early if `next` returns false. The loop returns whether it reached the end. */
function compileEach(node: CoreOf<"some" | "filter">, runOf: RunOf) {
  const [list, condition] = [runOf(node.list), runOf(node.condition)];
  const failure = nilFailure(node);
  const tooMany = {
    ...failure,
    message: `this would ask about more than ${MAX_NESTED_VALUES.toLocaleString("en")} values of lists for each other`,
  };
  const { isNested } = node;
  return (
    evaluation: Evaluation,
    next: (holds: boolean, element: Value) => boolean,
  ): boolean => {
    const elements = list(evaluation);
    if (!Array.isArray(elements)) {
      evaluation.fail(failure);
      return false;
    }
    if (isNested) {
      evaluation.nestedValues += elements.length;
      if (evaluation.nestedValues > MAX_NESTED_VALUES) {
        evaluation.fail(tooMany);
        return false;
      }
    }
    const outer = evaluation.element;
    for (const element of elements as readonly Value[]) {
      evaluation.element = element;
      const holds = condition(evaluation);
      if (typeof holds !== "boolean") evaluation.fail(failure);
      if (evaluation.failure || !next(holds === true, element)) {
        evaluation.element = outer;
        return false;
      }
    }
    evaluation.element = outer;
    return true;
  };
}

/** Compiles `and` or `or`. The value of the last operand is the result even if it is nil. */
function compileLogical(node: CoreOf<"logical">, runOf: RunOf): Run {
  const { decides } = node;
  const failure = nilFailure(node);
  const operands = node.operands.map(runOf);
  const last = operands.length - 1;
  /** The result if the operand at an index is neither true nor false. */
  const otherwise = (value: Value, index: number, evaluation: Evaluation) => {
    if (!(value instanceof PossibleResults)) return evaluation.fail(failure);
    const all: PossibleResults[] = [];
    let found = value;
    for (const next of operands.slice(index + 1)) {
      if (!(decides ? found.canBeFalse : found.canBeTrue)) break;
      // After a result that does not decide the chain, the next operand is evaluated.
      all.push(found.without(!decides));
      found = possibleResults(next, evaluation);
    }
    return anyOf([...all, found]);
  };
  const [left, right] = operands;
  if (left && right && last === 1)
    return (evaluation) => {
      const value = left(evaluation);
      if (value === decides) return decides;
      return value === !decides
        ? right(evaluation)
        : otherwise(value, 0, evaluation);
    };
  return (evaluation) => {
    for (let i = 0; i < last; i++) {
      const value = operands[i]?.(evaluation);
      if (value === decides) return decides;
      if (value !== !decides) return otherwise(value, i, evaluation);
    }
    return operands[last]?.(evaluation);
  };
}

/**
 * The results that a node may have, over all values of the unknown parts. Nodes of logic
 * combine those of their operands.
 */
class PossibleResults {
  constructor(
    readonly canBeTrue: boolean,
    readonly canBeFalse: boolean,
    readonly canFail = false,
    /** Names of the unknown parts that the result depends on. */
    readonly unknown: readonly string[] = [],
    readonly failure?: Failure,
  ) {}

  get opposite(): PossibleResults {
    const { canBeTrue, canBeFalse, canFail, unknown, failure } = this;
    return new PossibleResults(
      canBeFalse,
      canBeTrue,
      canFail,
      unknown,
      failure,
    );
  }

  without(result: boolean): PossibleResults {
    return new PossibleResults(
      this.canBeTrue && !result,
      this.canBeFalse && result,
      this.canFail,
      this.unknown,
      this.failure,
    );
  }
}

const SURELY_TRUE = new PossibleResults(true, false);
const SURELY_FALSE = new PossibleResults(false, true);

/** The results of a node. A failure is one of them, and does not end the evaluation. */
function possibleResults(run: Run, evaluation: Evaluation): PossibleResults {
  const value = run(evaluation);
  const { failure } = evaluation;
  evaluation.failure = undefined;
  if (failure) return new PossibleResults(false, false, true, [], failure);
  if (value instanceof PossibleResults) return value;
  return value === true ? SURELY_TRUE : SURELY_FALSE;
}

const anyOf = (all: readonly PossibleResults[]) =>
  new PossibleResults(
    all.some(({ canBeTrue }) => canBeTrue),
    all.some(({ canBeFalse }) => canBeFalse),
    all.some(({ canFail }) => canFail),
    all.flatMap(({ unknown }) => unknown),
    all.find(({ failure }) => failure)?.failure,
  );

/** Whether a node combines booleans. A node with an operand that may be nil is evaluated as a whole. */
export function isLogic(node: Core): node is CoreOf<"logical" | "not" | "if"> {
  const isConnective =
    node.kind === "logical" || node.kind === "not" || node.kind === "if";
  return isConnective && operandsOf(node).every(({ mayBeNil }) => !mayBeNil);
}

/** The nodes that logic combines. The elements that nested loops visit are counted over the whole expression. */
function leavesOf(root: Core): ReadonlySet<Core> {
  if (hasNestedLoop(root)) return new Set([root]);
  const nodes = childrenFirst(root, (node) =>
    isLogic(node) ? operandsOf(node) : [],
  );
  return new Set(nodes.filter((node) => !isLogic(node)));
}

/** A leaf is evaluated if everything that it reads is known, and may otherwise have any result. */
function compileLeaf(node: Core, run: Run): Run {
  const parts = partsOf(node);
  return (evaluation) => {
    const request: PartialRuleRequest = evaluation.request;
    const unknown = parts.filter((part) => valueOf(request, part) === UNKNOWN);
    if (unknown.length > 0)
      return new PossibleResults(
        true,
        true,
        node.mayFail,
        unknown.map(({ name }) => name),
      );
    return request.answers?.get(node) ?? run(evaluation);
  };
}

/** A compiled node. It returns the value of the node; undefined if the evaluation failed. */
type Run = (evaluation: Evaluation) => Value;

/** The compiled form of a node. */
type RunOf = (node: Core) => Run;

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
type Value =
  | boolean
  | string
  | bigint
  | number
  | null
  | readonly Value[]
  | IpNetwork
  | Headers
  | PossibleResults
  | undefined;

/** Header names to lists of values. */
type Headers = Readonly<Record<string, readonly string[]>>;

/** The values of a header that was not sent: an empty list that equals nil. */
const MISSING: readonly string[] = Object.freeze([]);

/**
 * Whether two values are equal in expr-lang. Values of different types are never equal,
 * except integers and floats.
 */
export function areEqual(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a === "bigint" && typeof b === "number") return Number(a) === b;
  if (typeof a === "number" && typeof b === "bigint") return a === Number(b);
  if (Array.isArray(a) && Array.isArray(b))
    return (
      a.length === b.length &&
      a.every((v, i) => areEqual(v as Value, b[i] as Value))
    );
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
