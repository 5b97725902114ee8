import type { BinaryOperator, OrderOperator } from "../syntax/ast";

/** Precedence of the operators between two operands; the higher binds the tighter. */
export const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ["||", 10],
  ["or", 10],
  ["&&", 15],
  ["and", 15],
  ...["==", "!=", "<", ">", "<=", ">="].map((o) => [o, 20] as const),
  ...["in", "matches", "contains", "startsWith", "endsWith"].map(
    (o) => [o, 20] as const,
  ),
]);

/** Operators of expr-lang that the service's language lacks. */
export const FOREIGN_OPERATORS: ReadonlySet<string> = new Set(
  "+ - * / % ** ^ .. | ; ?. ::".split(" "),
);

/** Whether an operator compares by order; such operators chain. */
export function isOrder(operator: string): operator is OrderOperator {
  return ["<", ">", "<=", ">="].includes(operator);
}

/** Whether `not` may stand in front of an operator. */
export function isNegatable(operator: string): operator is BinaryOperator {
  return ["in", "matches", "contains", "startsWith", "endsWith"].includes(
    operator,
  );
}
