import {
  decodeRuleFile,
  mistakesInExpressions,
  openRuleFile,
  problemText,
  RuleFileError,
  type RuleFileProblem,
} from "@devid/rules";
import type { FileContent, FileMistake } from "../../definition/file-input";

/** The rules of a rule file, or the place of every mistake, those in expressions included. */
export function readRules(content: Uint8Array | string): FileContent {
  const text = typeof content === "string" ? content : decodeRuleFile(content);
  try {
    const file = openRuleFile(text, "");
    const problems = mistakesInExpressions(file);
    return problems.length > 0
      ? { mistakes: problems.map(asMistake) }
      : { value: [...file.rules] };
  } catch (error) {
    if (error instanceof RuleFileError)
      return { mistakes: error.problems.map(asMistake) };
    throw error;
  }
}

const asMistake = (problem: RuleFileProblem): FileMistake => ({
  ...problem,
  message: problemText(problem),
});
