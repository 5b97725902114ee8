import { areEqual, isLess } from "@devid/rules/internals";
import type { Dialect } from "../dialects/dialect";
import { isConstant, type SqlValue } from "./sql-cases";
import { allOf, is, type SqlCondition } from "./sql-condition";

/** A text as SQL; undefined for any other value. */
export function textSql(dialect: Dialect, value: SqlValue): string | undefined {
  if (value.kind === "text") return value.sql;
  const text = constantText(value);
  return text === undefined ? undefined : dialect.quoteText(text);
}

/** Whether two values are equal, as in expr-lang. */
export function areEqualInSql(
  dialect: Dialect,
  a: SqlValue,
  b: SqlValue,
): SqlCondition {
  if (a.kind === "constant" && b.kind === "constant")
    return areEqual(a.value, b.value);
  if (a.kind === "list" || b.kind === "list") {
    if (a.kind === "list" && b.kind === "list")
      return (
        a.elements.length === b.elements.length &&
        allOf(
          ...a.elements.map((one, i) => {
            const other = b.elements[i];
            return other ? areEqualInSql(dialect, one, other) : false;
          }),
        )
      );
    return (isNil(a) && isNil(b)) satisfies boolean;
  }
  if (a.kind === "integer" || b.kind === "integer") {
    const [x, y] = [integerSql(a), integerSql(b)];
    return x !== undefined && y !== undefined && is(`(${x} = ${y})`);
  }
  const [x, y] = [textSql(dialect, a), textSql(dialect, b)];
  if (x === y) return x !== undefined;
  return x !== undefined && y !== undefined && is(`(${x} = ${y})`);
}

/** Whether one value comes before another; undefined for values without an order. */
export function isLessInSql(
  dialect: Dialect,
  a: SqlValue,
  b: SqlValue,
): SqlCondition | undefined {
  if (a.kind === "constant" && b.kind === "constant")
    return isLess(a.value, b.value);
  if (a.kind === "integer" || b.kind === "integer") return lessInteger(a, b);
  const [x, y] = [textSql(dialect, a), textSql(dialect, b)];
  if (x === undefined || y === undefined) return undefined;
  return x === y ? false : is(`(${x} < ${y})`);
}

/** Whether a value is nil, or equals nil as the values of a header that was not sent do. */
export const isNil = (value: SqlValue) =>
  isConstant(value, null) || (value.kind === "list" && value.isMissing);

/** The text of a constant. */
export function constantText(value: SqlValue): string | undefined {
  const text = value.kind === "constant" ? value.value : undefined;
  return typeof text === "string" ? text : undefined;
}

/** The absolute value of every integer of a row is smaller than this. */
const MOST = 2n ** 53n;

/**
 * The SQL of a number that may equal an integer of a row; undefined for a float that is
 * not whole.
 */
function integerSql(value: SqlValue): string | undefined {
  if (value.kind === "integer") return value.sql;
  const number = value.kind === "constant" ? value.value : undefined;
  const isWhole = typeof number === "number" && Number.isSafeInteger(number);
  const integer = isWhole ? BigInt(number) : number;
  return typeof integer === "bigint" && integer < MOST && integer > -MOST
    ? `(${integer})`
    : undefined;
}

/** Whether one number is smaller than another, at least one of which depends on the row. */
function lessInteger(a: SqlValue, b: SqlValue): SqlCondition | undefined {
  if (a.kind === "integer" && b.kind === "integer")
    return is(`(${a.sql} < ${b.sql})`);
  if (a.kind === "integer") {
    const limit = limitOf(b, Math.ceil);
    return typeof limit === "bigint" ? is(`(${a.sql} < (${limit}))`) : limit;
  }
  if (b.kind !== "integer") return undefined;
  const limit = limitOf(a, Math.floor);
  if (typeof limit === "bigint") return is(`((${limit}) < ${b.sql})`);
  return limit === undefined ? undefined : !limit;
}

/**
 * The whole number next to a constant. True if the constant is above all integers of a
 * row, false if it is below all of them.
 */
function limitOf(
  value: SqlValue,
  round: (number: number) => number,
): bigint | boolean | undefined {
  const number = value.kind === "constant" ? value.value : undefined;
  if (typeof number !== "bigint" && typeof number !== "number")
    return undefined;
  if (number >= MOST) return true;
  if (number <= -MOST) return false;
  return typeof number === "bigint" ? number : BigInt(round(number));
}
