import { allKnown } from "../all-known";
import { assertNever } from "../assert-never";
import {
  type Core,
  type CoreOf,
  headerNameOf,
  literalTextOf,
  nodesOf,
} from "../core/core";
import { coreOf } from "../core/lower";
import { onceFor } from "../once-for";
import {
  findHeader,
  headerNameMistake,
} from "../language/request/header-names";
import { isInNetwork, parseIp } from "../language/request/ip-address";
import type {
  PartialRuleRequest,
  RuleRequest,
} from "../language/request/rule-request";
import { problemAt } from "../language/syntax/problem";
import type { OrderOperatorRow } from "../language/tables/operators";
import { lengthOf } from "../language/text/text";
import type { CheckedExpression } from "../language/types/check-expression";
import { compilePartly } from "./evaluate-partly";
import {
  areEqual,
  Evaluation,
  type EvaluationResult,
  type Failure,
  type Headers,
  isLess,
  MISSING,
  nilFailure,
  type PartialResult,
  type Run,
  type RunOf,
  type Value,
} from "./evaluation";

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
  const run = compileNodes(core)(core);

  const failed = onceFor(({ span, message }: Failure) => ({
    error: problemAt(source, span, message),
  }));
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
  let partly: ReturnType<typeof compilePartly> | undefined;
  return {
    source,
    evaluate: (request) => evaluate(run, request),
    evaluatePartly: (request) => {
      try {
        // Most expressions are never evaluated partly: the compiled nodes are not kept for that.
        partly ??= compilePartly(core, compileNodes(core), evaluate);
        return partly(request);
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

function compileNodes(root: Core): RunOf {
  const runs = new Map<Core, Run>();
  const runOf = (node: Core): Run => runs.get(node) ?? (() => undefined);
  for (const node of nodesOf(root)) runs.set(node, compileNode(node, runOf));
  return runOf;
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
      if (!node.operand.mayBeNil) return (evaluation) => !operand(evaluation);
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
  { operator: { holds }, left, right }: CoreOf<"text">,
  runOf: RunOf,
): Run {
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
  const { operators } = node;
  const failure = nilFailure(node);
  const [first = () => undefined, ...others] = node.operands.map(runOf);
  return (evaluation) => {
    let left = first(evaluation);
    for (let i = 0; i < operators.length; i++) {
      const operator = operators[i];
      const right = others[i]?.(evaluation);
      if (!operator || !isOrdered(operator, left, right, evaluation, failure))
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
