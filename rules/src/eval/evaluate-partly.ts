import { childrenFirst } from "../children-first";
import {
  type Core,
  type CoreOf,
  hasNestedLoop,
  operandsOf,
} from "../core/core";
import { partsOf, valueOf } from "./part";
import {
  type PartialRuleRequest,
  type RuleRequest,
  UNKNOWN,
} from "../language/request/rule-request";
import type { ExpressionProblem } from "../language/syntax/problem";
import type { EvaluationResult, PartialResult, Run, RunOf } from "./evaluation";

/** The results that an evaluation may have, over all values of the unknown parts. */
interface PossibleResults {
  readonly canBeTrue: boolean;
  readonly canBeFalse: boolean;
  readonly canFail: boolean;
  readonly unknown: readonly string[];
  readonly error?: ExpressionProblem;
}

type LogicNode = CoreOf<"logical" | "not" | "if">;

/** Whether a node combines booleans. A node with an operand that may be nil is evaluated as a whole. */
export function isLogic(node: Core): node is LogicNode {
  const isConnective =
    node.kind === "logical" || node.kind === "not" || node.kind === "if";
  return isConnective && operandsOf(node).every(({ mayBeNil }) => !mayBeNil);
}

type RunPartly = (request: PartialRuleRequest) => PossibleResults;

/**
 * Compiles an expression for requests with unknown parts. `&&`, `||`, `!` and `? :`
 * combine the possible results of their operands. Any other operand is evaluated
 * normally if everything that it reads is known, and may otherwise have any result.
 */
export function compilePartly(
  root: Core,
  runOf: RunOf,
  evaluate: (run: Run, request: RuleRequest) => EvaluationResult,
): (request: PartialRuleRequest) => PartialResult {
  // The elements that nested loops visit are counted over the whole expression.
  const isWhole = hasNestedLoop(root);
  const runs = new Map<Core, RunPartly>();
  const of = (node: Core) =>
    runs.get(node) ?? compileAtom(node, runOf(node), evaluate);
  // Operands come before the nodes around them, so their closures are ready.
  for (const node of childrenFirst(root, (one) =>
    !isWhole && isLogic(one) ? operandsOf(one) : [],
  ))
    if (!isWhole && isLogic(node)) runs.set(node, compileLogic(node, of));
  const run = of(root);
  return (request) => {
    const possible = run(request);
    if (!possible.canBeTrue)
      return possible.canBeFalse || !possible.error
        ? { value: false }
        : { error: possible.error };
    return possible.canBeFalse || possible.canFail
      ? { unknown: [...new Set(possible.unknown)] }
      : { value: true };
  };
}

function compileLogic(
  node: LogicNode,
  of: (operand: Core) => RunPartly,
): RunPartly {
  switch (node.kind) {
    case "logical": {
      const operands = node.operands.map(of);
      const { decides } = node;
      return (request) => logical(operands, decides, request);
    }
    case "not": {
      const operand = of(node.operand);
      return (request) => {
        const possible = operand(request);
        const { canBeTrue, canBeFalse } = possible;
        return { ...possible, canBeTrue: canBeFalse, canBeFalse: canBeTrue };
      };
    }
    case "if": {
      const condition = of(node.condition);
      const consequent = of(node.consequent);
      const alternate = of(node.alternate);
      return (request) => {
        const first = condition(request);
        return union([
          { ...first, canBeTrue: false, canBeFalse: false },
          ...(first.canBeTrue ? [consequent(request)] : []),
          ...(first.canBeFalse ? [alternate(request)] : []),
        ]);
      };
    }
  }
}

const SURELY_TRUE: PossibleResults = {
  canBeTrue: true,
  canBeFalse: false,
  canFail: false,
  unknown: [],
};
const SURELY_FALSE: PossibleResults = {
  ...SURELY_TRUE,
  canBeTrue: false,
  canBeFalse: true,
};

function compileAtom(
  node: Core,
  run: Run,
  evaluate: (run: Run, request: RuleRequest) => EvaluationResult,
): RunPartly {
  const parts = partsOf(node);
  return (request) => {
    const unknown = parts
      .filter((part) => valueOf(request, part) === UNKNOWN)
      .map(({ name }) => name);
    if (unknown.length > 0)
      return {
        canBeTrue: true,
        canBeFalse: true,
        canFail: node.mayFail,
        unknown,
      };
    const answer = request.answers?.get(node);
    if (answer !== undefined) return answer ? SURELY_TRUE : SURELY_FALSE;
    // The evaluation reads no unknown part of the request.
    const result = evaluate(run, request as RuleRequest);
    const error = "error" in result ? result.error : undefined;
    const value = "value" in result && result.value;
    return {
      canBeTrue: value,
      canBeFalse: !value && !error,
      canFail: !!error,
      unknown: [],
      error,
    };
  };
}

function logical(
  operands: readonly RunPartly[],
  decides: boolean,
  request: PartialRuleRequest,
): PossibleResults {
  const all: PossibleResults[] = [];
  let mayContinue = true;
  for (const [i, operand] of operands.entries()) {
    const possible = operand(request);
    const isLast = i === operands.length - 1;
    mayContinue = decides ? possible.canBeFalse : possible.canBeTrue;
    // After a result that does not decide the chain, the next operand is evaluated.
    const keep =
      isLast || !mayContinue
        ? {}
        : decides
          ? { canBeFalse: false }
          : { canBeTrue: false };
    all.push({ ...possible, ...keep });
    if (!mayContinue) break;
  }
  return union(all);
}

function union(all: readonly PossibleResults[]): PossibleResults {
  return {
    canBeTrue: all.some(({ canBeTrue }) => canBeTrue),
    canBeFalse: all.some(({ canBeFalse }) => canBeFalse),
    canFail: all.some(({ canFail }) => canFail),
    unknown: all.flatMap(({ unknown }) => unknown),
    error: all.find(({ error }) => error)?.error,
  };
}
