import type { CheckedExpression } from "./check-expression";
import type { Node } from "./ast";
import { compileNode } from "./compile-node";
import { Evaluation, EvaluationError, type Run } from "./evaluation";
import { optimise } from "./optimise";
import { PartialCompiler } from "./partial-compiler";
import { postOrder } from "./post-order";
import { problemAt, type ExpressionProblem } from "./problem";
import type { PartialRuleRequest, RuleRequest } from "./rule-request";
import type { Value } from "./value";
import { typeOf } from "./value-type";

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

  const failureOf = (error: unknown) => {
    const whole = { offset: 0, length: source.length };
    const span = error instanceof EvaluationError ? error.span : whole;
    return { error: problemAt(source, span, messageOf(error)) };
  };
  const attempt = (value: () => Value): EvaluationResult => {
    try {
      return { value: value() === true };
    } catch (error) {
      return failureOf(error);
    }
  };
  let partly: PartialCompiler | undefined;
  return {
    source,
    evaluate: (request) => attempt(() => run(new Evaluation(request))),
    evaluatePartly: (request) => {
      try {
        partly ??= new PartialCompiler(root, parts, attempt);
        return partly.evaluate(request);
      } catch (error) {
        return failureOf(error);
      }
    },
  };
}

function messageOf(error: unknown): string {
  if (error instanceof RangeError)
    return "this expression is nested too deeply for the stack that is left";
  return error instanceof Error ? error.message : String(error);
}
