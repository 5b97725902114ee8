import {
  decodeRuleFile,
  expressionProblem,
  openRuleFile,
  RuleFileError,
} from "@devid/rules";
import { checkExpression } from "@devid/rules/language";
import type { FileContent } from "../../definition/file-input";

/** The rules of a rule file, or the place of every mistake, those in expressions included. */
export function readRules(content: Uint8Array | string): FileContent {
  const text = typeof content === "string" ? content : decodeRuleFile(content);
  try {
    const file = openRuleFile(text, "", { tellsExpressions: true });
    const mistakes = file.rules.flatMap(({ expression }, index) => {
      const checked = checkExpression(expression);
      if (checked.ok) return [];
      return checked.problems.map((one) => expressionProblem(file, index, one));
    });
    return mistakes.length > 0 ? { mistakes } : { value: [...file.rules] };
  } catch (error) {
    if (error instanceof RuleFileError) return { mistakes: error.problems };
    throw error;
  }
}
