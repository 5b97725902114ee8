/** A condition of a row that is true or false, and never null when it is evaluated. */
export type SqlCondition = boolean | SqlTerm;

type SqlTerm =
  | { readonly kind: "is"; readonly sql: string }
  | { readonly kind: "not"; readonly operand: SqlTerm }
  | { readonly kind: "all" | "any"; readonly operands: readonly SqlTerm[] };

/** A condition in SQL; `sql` needs no brackets. */
export function is(sql: string): SqlCondition {
  return { kind: "is", sql };
}

const negated = new WeakMap<object, SqlCondition>();

export function isNot(condition: SqlCondition): SqlCondition {
  if (typeof condition === "boolean") return !condition;
  const known = negated.get(condition);
  if (known !== undefined) return known;
  const negation = negationOf(condition);
  negated.set(condition, negation);
  if (typeof negation === "object") negated.set(negation, condition);
  return negation;
}

function negationOf(condition: SqlTerm): SqlCondition {
  switch (condition.kind) {
    case "is":
      return { kind: "not", operand: condition };
    case "not":
      return condition.operand;
    case "all":
      return anyOf(...condition.operands.map(isNot));
    case "any":
      return allOf(...condition.operands.map(isNot));
  }
}

/** True if every condition is true. */
export function allOf(...conditions: readonly SqlCondition[]): SqlCondition {
  return joined("all", conditions);
}

/** True if some condition is true. */
export function anyOf(...conditions: readonly SqlCondition[]): SqlCondition {
  return joined("any", conditions);
}

function joined(
  kind: "all" | "any",
  conditions: readonly SqlCondition[],
): SqlCondition {
  const decides = kind === "any";
  const operands = new Map<string, SqlTerm>();
  for (const condition of conditions) {
    if (condition === decides) return decides;
    if (typeof condition === "boolean") continue;
    const parts = condition.kind === kind ? condition.operands : [condition];
    for (const part of parts) operands.set(sqlOf(part), part);
  }
  for (const part of operands.values())
    if (operands.has(sqlOf(isNot(part)))) return decides;
  // `a AND (a OR b)` is `a`.
  for (const [sql, part] of operands)
    if (
      (part.kind === "all" || part.kind === "any") &&
      part.operands.some((one) => operands.has(sqlOf(one)))
    )
      operands.delete(sql);
  const [only, ...others] = operands.values();
  if (only === undefined) return !decides;
  return others.length === 0 ? only : { kind, operands: [only, ...others] };
}

const printed = new WeakMap<object, string>();

/** The SQL of a condition, which needs no brackets. */
export function sqlOf(condition: SqlCondition): string {
  // ClickHouse before version 21 has no TRUE and FALSE.
  if (typeof condition === "boolean") return condition ? "(1 = 1)" : "(1 = 0)";
  const known = printed.get(condition);
  if (known !== undefined) return known;
  const sql = print(condition);
  printed.set(condition, sql);
  return sql;
}

function print(condition: SqlTerm): string {
  switch (condition.kind) {
    case "is":
      return condition.sql;
    case "not":
      return `(NOT ${sqlOf(condition.operand)})`;
    case "all":
    case "any": {
      const word = condition.kind === "all" ? " AND " : " OR ";
      return `(${condition.operands.map(sqlOf).join(word)})`;
    }
  }
}
