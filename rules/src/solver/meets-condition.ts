import {
  compileExpression,
  type CheckedExpression,
  type CompiledExpression,
  type RuleRequest,
} from "../language";
import type { Condition } from "./condition";

const compiled = new WeakMap<CheckedExpression, CompiledExpression>();

/** Whether a request meets a condition, by evaluating its expressions as far as it takes. */
export function meetsCondition(
  condition: Condition,
  request: RuleRequest,
): boolean {
  for (let one = condition; ;) {
    if (one.kind === "evaluates") {
      const result = evaluate(one.expression, request);
      return "value" in result && result.value === one.to;
    }
    if (one.kind === "not") return !meetsCondition(one.of, request);
    const decides = one.kind === "any";
    const last = one.of.at(-1);
    if (!last) return !decides;
    for (const part of one.of.slice(0, -1))
      if (meetsCondition(part, request) === decides) return decides;
    // Rule sets are long chains of these: the last part takes no stack.
    one = last;
  }
}

function evaluate(expression: CheckedExpression, request: RuleRequest) {
  const known = compiled.get(expression);
  const made = known ?? compileExpression(expression);
  if (!known) compiled.set(expression, made);
  return made.evaluate(request);
}
