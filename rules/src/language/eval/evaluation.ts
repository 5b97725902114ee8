import { type IpAddress, type IpNetwork, parseIp } from "../request/ip-address";
import type { RuleRequest } from "../request/rule-request";
import type { Node } from "../syntax/ast";
import type { ExpressionProblem, Span } from "../syntax/problem";
import type { ValueType } from "../types/value-type";
import { isBefore } from "../text/text";

/** An expression that is compiled: what it says of a request; undefined where it failed. */
export type Run = (evaluation: Evaluation) => Value;

/** Why an evaluation fails, and where. Made once, when its place is compiled. */
export interface Failure {
  readonly message: string;
  readonly span: Span;
}

/**
 * One evaluation: the request, and the element that a quantifier looks at. It
 * fails by a note: a header that was not sent is an everyday matter, and throwing
 * takes far longer than evaluating.
 */
export class Evaluation {
  element: Value = undefined;
  /** What went wrong first. What the expression says is then worth nothing. */
  failure: Failure | undefined = undefined;

  constructor(readonly request: RuleRequest) {}

  /** Notes a failure. Its value is one that no operator takes. */
  fail(failure: Failure): undefined {
    this.failure ??= failure;
  }
}

/** The failure of a node that meets nil where it needs a value. */
export function nilFailure({ span }: Node): Failure {
  return { message: "this is nil where a value is needed", span };
}

let lastText: string | undefined;
let lastIp: IpAddress | undefined;

/** The address of the client. The last one is kept: many rules ask about one request. */
export function clientIp({ ip }: RuleRequest): IpAddress | undefined {
  if (ip !== lastText) {
    lastText = ip;
    lastIp = ip === undefined ? undefined : parseIp(ip);
  }
  return lastIp;
}

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

/** What an expression says of a request, or why it cannot. */
export type EvaluationResult =
  { readonly value: boolean } | { readonly error: ExpressionProblem };

/** The same, or the parts of the request that would have to be known. */
export type PartialResult = EvaluationResult | { readonly unknown: string[] };

/** What compiling a node needs: the types, and its parts compiled before it. */
export interface Parts {
  readonly typeOf: (node: Node) => ValueType;
  readonly runOf: (node: Node) => Run;
}
