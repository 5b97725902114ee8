import { assertNever } from "../assert-never";
import type { CheckedExpression } from "../language";

/** A statement about one request. Conditions are never changed, and parts of them may be shared. */
export type Condition =
  | {
      readonly kind: "evaluates";
      readonly expression: CheckedExpression;
      /** An expression that fails evaluates to neither. */
      readonly to: boolean;
    }
  | { readonly kind: "all"; readonly of: readonly Condition[] }
  | { readonly kind: "any"; readonly of: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition };

/** Holds for the requests for which an expression is true. */
export function matches(expression: CheckedExpression): Condition {
  return { kind: "evaluates", expression, to: true };
}

/** Holds for the requests for which an expression is neither true nor false: its evaluation fails. */
export function fails(expression: CheckedExpression): Condition {
  const isFalse: Condition = { kind: "evaluates", expression, to: false };
  return not(any(matches(expression), isFalse));
}

/** Holds where every one holds; always for none. */
export function all(...of: Condition[]): Condition {
  return { kind: "all", of };
}

/** Holds where at least one holds; never for none. */
export function any(...of: Condition[]): Condition {
  return { kind: "any", of };
}

/** Holds where another does not. */
export function not(of: Condition): Condition {
  return { kind: "not", of };
}

/** The conditions directly within one. */
export function childrenOfCondition(
  condition: Condition,
): readonly Condition[] {
  switch (condition.kind) {
    case "evaluates":
      return [];
    case "all":
    case "any":
      return condition.of;
    case "not":
      return [condition.of];
    default:
      return assertNever(condition);
  }
}
