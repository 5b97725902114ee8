import type { Node } from "./ast";
import { parseIp, type IpAddress } from "./ip-address";
import type { Span } from "./problem";
import type { RuleRequest } from "./rule-request";
import type { Value } from "./value";

/** An expression that is compiled: what it says of a request. */
export type Run = (evaluation: Evaluation) => Value;

/** One evaluation: the request, and the element that a quantifier looks at. */
export class Evaluation {
  element: Value = undefined;
  #ip: IpAddress | undefined | null = null;

  constructor(readonly request: RuleRequest) {}

  /** The address of the client, read at its first use. */
  get ip(): IpAddress | undefined {
    if (this.#ip === null)
      this.#ip =
        this.request.ip === undefined ? undefined : parseIp(this.request.ip);
    return this.#ip;
  }
}

/** An evaluation cannot go on. Made once, when its place is compiled. */
export class EvaluationError extends Error {
  override readonly name = "EvaluationError";

  constructor(
    message: string,
    readonly span: Span,
  ) {
    super(message);
  }
}

/** The failure of a node that meets nil where it needs a value. */
export function nilFailure({ span }: Node): EvaluationError {
  return new EvaluationError("this is nil where a value is needed", span);
}
