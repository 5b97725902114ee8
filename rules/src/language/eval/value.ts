import type { IpNetwork } from "../ip-address";
import { isBefore } from "./text";

/** What a part of an expression evaluates to. Integers are `bigint`; nil is `null`. */
export type Value =
  | boolean
  | string
  | bigint
  | number
  | null
  | readonly Value[]
  | IpNetwork
  | Headers
  | undefined;

/** Header names to lists of values. */
export type Headers = Readonly<Record<string, readonly string[]>>;

/** The values of a header that was not sent: an empty list that equals nil. */
export const MISSING: readonly string[] = Object.freeze([]);

/** Whether two values are equal as expr-lang has it: kinds never convert, but numbers do. */
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

/** Whether `a < b`; undefined where the two have no order. */
export function isLess(a: Value, b: Value): boolean | undefined {
  if (typeof a === "string" && typeof b === "string") return isBefore(a, b);
  if (typeof a === "bigint" && typeof b === "bigint") return a < b;
  const isNumeric = [a, b].every((v) =>
    ["bigint", "number"].includes(typeof v),
  );
  return isNumeric ? Number(a) < Number(b) : undefined;
}
