import { Budget } from "../budget";
import { parseExpression, type CheckedExpression } from "../language";
import { checkTypes } from "../language/types/check-expression";
import { canonicalText } from "../language/syntax/print-expression";
import { expressionEdits, type ExpressionEdit } from "./expression-edits";

/** The expressions of the rules that are compared, each text read once. */
export class RuleExpressions {
  readonly #read = new Map<string, ReturnType<typeof read>>();
  readonly #checked = new Map<string, CheckedExpression | undefined>();

  /** @param budget limits the work of checking and comparing */
  constructor(private readonly budget = new Budget(Infinity)) {}

  /**
   * The differences between two texts. A text that does not parse differs as a whole.
   * If the budget is spent, so do all expressions that differ in more than spelling.
   */
  edits(before: string, after: string): ExpressionEdit[] {
    if (before === after) return [];
    const [was, is] = [this.#parsed(before), this.#parsed(after)];
    const whole = [{ kind: "replaced", at: "", before, after }] as const;
    if (!was || !is) return [...whole];
    if (was.meaning === is.meaning) return [];
    const { budget } = this;
    return (
      budget.attempt(() => expressionEdits(was.root, is.root, budget)) ?? [
        ...whole,
      ]
    );
  }

  /**
   * The checked expression of a text, shared by all its spellings; undefined for a text
   * with a mistake.
   * @throws BudgetSpentError
   */
  checked(text: string): CheckedExpression | undefined {
    const parsed = this.#parsed(text);
    if (!parsed) return undefined;
    return once(this.#checked, parsed.meaning, () => {
      this.budget.spend(text.length * WORK_OF_CHARACTER);
      const result = checkTypes(parsed.expression);
      return result.ok ? result.expression : undefined;
    });
  }

  #parsed(text: string) {
    return once(this.#read, text, () => read(text));
  }
}

/** The work of checking an expression for each of its characters, in units of a budget. */
const WORK_OF_CHARACTER = 2;

function read(text: string) {
  const parsed = parseExpression(text);
  if (!parsed.ok) return undefined;
  const { expression } = parsed;
  const { root } = expression;
  return { root, expression, meaning: canonicalText(root) };
}

function once<T>(known: Map<string, T>, key: string, make: () => T): T {
  if (!known.has(key)) known.set(key, make());
  return known.get(key) as T;
}
