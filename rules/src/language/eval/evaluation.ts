import type { Node } from "../syntax/ast";
import { parseIp, type IpAddress } from "../ip-address";
import type { Span } from "../syntax/problem";
import type { RuleRequest } from "../rule-request";
import type { Value } from "./value";

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
