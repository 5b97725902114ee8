import {
  UNKNOWN,
  type CheckedExpression,
  type PartialRuleRequest,
} from "@devid/rules/language";
import {
  matchOf,
  valueOf,
  type Match,
  type Part,
} from "@devid/rules/internals";

/** Whether an expression matches, fails, or depends on what is unknown. */
export type Answer = boolean | "fails" | "unknown";

/**
 * Most requests whose results are kept for each list of expressions. Most traffic
 * repeats itself.
 */
const MOST_KNOWN = 10_000;

/** Evaluates expressions for requests, and keeps what it found for equal requests. */
export class AnswerCache {
  readonly #matches = new Map<CheckedExpression, Match>();
  readonly #known = new Map<
    readonly CheckedExpression[],
    Map<string, readonly Answer[]>
  >();

  match(expression: CheckedExpression, request: PartialRuleRequest): Answer {
    const match = this.#matches.get(expression) ?? matchOf(expression);
    this.#matches.set(expression, match);
    const found = match(request);
    if ("unknown" in found) return "unknown";
    return "value" in found ? found.value : "fails";
  }

  /** The results of several expressions, which read only the given parts of the request. */
  matchAll(
    expressions: readonly CheckedExpression[],
    parts: readonly Part[],
    request: PartialRuleRequest,
  ): readonly Answer[] {
    const answer = () =>
      expressions.map((expression) => this.match(expression, request));
    // Answers of a warehouse do not follow from the values of the request.
    if (request.answers) return answer();
    const known =
      this.#known.get(expressions) ?? new Map<string, readonly Answer[]>();
    this.#known.set(expressions, known);
    const key = JSON.stringify(
      parts.map((part) => {
        const value = valueOf(request, part);
        return value === UNKNOWN ? {} : (value ?? null);
      }),
    );
    const before = known.get(key);
    if (before) return before;
    const answers = answer();
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, answers);
    return answers;
  }
}
