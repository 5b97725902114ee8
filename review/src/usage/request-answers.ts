import {
  UNKNOWN,
  type CheckedExpression,
  type PartialResult,
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

/** The results of expressions for requests that are equal to each other. */
export interface RequestAnswers {
  /** Whether an expression matches the requests. */
  match(expression: CheckedExpression): Answer;
  /**
   * The results of several expressions, which read only the given parts of the
   * requests.
   */
  matchAll(
    expressions: readonly CheckedExpression[],
    parts: readonly Part[],
  ): readonly Answer[];
  /**
   * Whether a part of the requests is present and not empty; undefined if the part is
   * unknown.
   */
  isFilled(part: Part): boolean | undefined;
}

/**
 * Most requests whose results are kept for each list of expressions. Most traffic
 * repeats itself.
 */
const MOST_KNOWN = 10_000;

/** Answers by evaluating expressions. */
export class Evaluator {
  readonly #matches = new Map<CheckedExpression, Match>();
  readonly #known = new Map<
    readonly CheckedExpression[],
    Map<string, readonly Answer[]>
  >();

  answers(request: PartialRuleRequest): RequestAnswers {
    const match = (expression: CheckedExpression) =>
      asAnswer(this.#matchOf(expression)(request));
    return {
      match,
      matchAll: (expressions, parts) => {
        // Answers of a warehouse do not follow from the values of the request.
        if (request.answers) return expressions.map(match);
        const known = this.#knownOf(expressions);
        const key = JSON.stringify(
          parts.map((part) => {
            const value = valueOf(request, part);
            return value === UNKNOWN ? {} : (value ?? null);
          }),
        );
        const before = known.get(key);
        if (before) return before;
        const answers = expressions.map(match);
        if (known.size >= MOST_KNOWN) known.clear();
        known.set(key, answers);
        return answers;
      },
      isFilled: (part) => {
        const value = valueOf(request, part);
        if (value === UNKNOWN) return undefined;
        return Array.isArray(value)
          ? value.some((each) => each !== "")
          : value !== undefined && value !== "";
      },
    };
  }

  #matchOf(expression: CheckedExpression): Match {
    const known = this.#matches.get(expression) ?? matchOf(expression);
    this.#matches.set(expression, known);
    return known;
  }

  #knownOf(expressions: readonly CheckedExpression[]) {
    const known =
      this.#known.get(expressions) ?? new Map<string, readonly Answer[]>();
    this.#known.set(expressions, known);
    return known;
  }
}

function asAnswer(found: PartialResult): Answer {
  if ("unknown" in found) return "unknown";
  return "value" in found ? found.value : "fails";
}
