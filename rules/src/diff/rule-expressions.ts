import { parseExpression, type CheckedExpression } from "../language";
import { checkTypes } from "../language/types/check-expression";
import { canonicalText } from "../language/syntax/print-expression";
import { keptIn } from "../keeping-results";
import { isKnownRule, type Rule } from "../rule-set/rule";
import type { ReadRule } from "./effects";
import { expressionEdits, type ExpressionEdit } from "./expression-edits";

/** The expressions of the rules that are compared, each text read once. */
export class RuleExpressions {
  readonly #read = new Map<string, ReturnType<typeof read>>();
  readonly #checked = new Map<string, CheckedExpression | undefined>();

  /** The differences between two texts. A text that does not parse differs as a whole. */
  edits(before: string, after: string): ExpressionEdit[] {
    if (before === after) return [];
    const [was, is] = [this.#parsed(before), this.#parsed(after)];
    if (!was || !is) return [{ kind: "replaced", at: "", before, after }];
    return expressionEdits(was.root, is.root);
  }

  /**
   * The checked expression of a text, shared by all its spellings; undefined for a text
   * with a mistake.
   */
  checked(text: string): CheckedExpression | undefined {
    const parsed = this.#parsed(text);
    if (!parsed) return undefined;
    return keptIn(this.#checked, parsed.meaning, () => {
      const result = checkTypes(parsed.expression);
      return result.ok ? result.expression : undefined;
    });
  }

  /** The rules of a set that may decide, which are all but the disabled ones. */
  enabled(rules: readonly Rule[]): ReadRule[] {
    return rules
      .filter(({ status }) => status !== "disabled")
      .map((rule) => ({
        rule,
        expression: isKnownRule(rule)
          ? this.checked(rule.expression)
          : undefined,
      }));
  }

  #parsed(text: string) {
    return keptIn(this.#read, text, () => read(text));
  }
}

function read(text: string) {
  const parsed = parseExpression(text);
  if (!parsed.ok) return undefined;
  const { expression } = parsed;
  const { root } = expression;
  return { root, expression, meaning: canonicalText(root) };
}
