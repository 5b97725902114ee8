import type { CheckedExpression } from "../types/check-expression";
import type { Node } from "../syntax/ast";
import { compileNode } from "./compile-node";
import { Evaluation, type Failure, type Run } from "./evaluation";
import { optimise } from "./optimise";
import { PartialCompiler } from "./partial-compiler";
import { postOrder } from "../syntax/post-order";
import { problemAt, type ExpressionProblem } from "../syntax/problem";
import type { PartialRuleRequest, RuleRequest } from "../rule-request";
import { typeOf } from "../types/value-type";

/** What an expression says of a request, or why it cannot. */
export type EvaluationResult =
  { readonly value: boolean } | { readonly error: ExpressionProblem };

/** The same, or the parts of the request that would have to be known. */
export type PartialResult = EvaluationResult | { readonly unknown: string[] };

/** An expression that is ready to be evaluated, as often as needed. */
export interface CompiledExpression {
  readonly source: string;
  evaluate(request: RuleRequest): EvaluationResult;
  /**
   * Evaluates with parts of the request unknown. `value: true` and `error` are
   * certain whatever the unknown parts hold; `value: false` says that the
   * expression is not true whatever they hold: it is false, or fails.
   */
  evaluatePartly(request: PartialRuleRequest): PartialResult;
}

const TRUE: EvaluationResult = Object.freeze({ value: true });
const FALSE: EvaluationResult = Object.freeze({ value: false });

/** Compiles a checked expression to closures. It never throws, nor does what it returns. */
export function compileExpression(
  checked: CheckedExpression,
): CompiledExpression {
  const { source } = checked;
  const types = new Map(checked.types);
  const typeOfNode = (node: Node) => types.get(node) ?? typeOf("boolean");
  const root = optimise(checked.root, (from, to) => {
    // What stands for another has its type, unless it has one of its own.
    if (!types.has(to)) types.set(to, typeOfNode(from));
  });
  const runs = new Map<Node, Run>();
  const runOf = (node: Node): Run => runs.get(node) ?? (() => undefined);
  const parts = { typeOf: typeOfNode, runOf };
  for (const { node } of postOrder(root))
    runs.set(node, compileNode(node, parts));
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
