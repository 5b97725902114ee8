import type { IpNetwork } from "../language/request/ip-address";
import type { RuleRequest } from "../language/request/rule-request";
import type { Core } from "../core/core";
import type { ExpressionProblem, Span } from "../language/syntax/problem";
import { isBefore } from "../language/text/text";

/** A compiled node. It returns the value of the node; undefined if the evaluation failed. */
export type Run = (evaluation: Evaluation) => Value;

/** Why and where an evaluation fails. It is made when its node is compiled, not when it fails. */
export interface Failure {
  readonly message: string;
  readonly span: Span;
}

/**
 * The state of one evaluation: the request, and the element that `#` stands for.
 * A failure is kept here instead of being thrown: a header that was not sent is
 * common, and throwing takes far longer than evaluating.
 */
export class Evaluation {
  element: Value = undefined;
  /** The first failure. After a failure, the value of the expression has no meaning. */
  failure: Failure | undefined = undefined;
  /** The number of elements that nested quantifiers have visited so far. */
  nestedValues = 0;

  constructor(readonly request: RuleRequest) {}

  /** Keeps the first failure. @returns undefined, which no operator accepts */
  fail(failure: Failure): undefined {
    this.failure ??= failure;
  }
}

/** The failure of a node that needs a value and gets nil. */
export function nilFailure({ span }: Core): Failure {
  return { message: "this is nil where a value is needed", span };
}

/** The value of a node. Integers are `bigint`, and nil is `null`. */
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

/**
 * Whether two values are equal in expr-lang. Values of different types are never equal,
 * except integers and floats.
 */
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

/** Whether `a < b`; undefined for values without an order. */
export function isLess(a: Value, b: Value): boolean | undefined {
  if (typeof a === "string" && typeof b === "string") return isBefore(a, b);
  if (typeof a === "bigint" && typeof b === "bigint") return a < b;
  const isNumeric = [a, b].every((v) =>
    ["bigint", "number"].includes(typeof v),
  );
  return isNumeric ? Number(a) < Number(b) : undefined;
}

/** The value of an expression for a request, or the error of the evaluation. */
export type EvaluationResult =
  { readonly value: boolean } | { readonly error: ExpressionProblem };

/** The result of a partial evaluation, or the unknown parts of the request that it depends on. */
export type PartialResult = EvaluationResult | { readonly unknown: string[] };

/** The compiled form of a node. */
export type RunOf = (node: Core) => Run;
