import {
  decodeRuleFile,
  openCheckedRuleFile,
  problemText,
  readProjectFile,
  RuleFileError,
  type RuleFileProblem,
} from "@devid/rules";
import type { FileContent, FileMistake } from "../../definition/file-input";

/** The rules of a rule file, or the place of every mistake, those in expressions included. */
export function readRules(path: string): FileContent {
  const text = decodeRuleFile(readProjectFile(path));
  try {
    return { value: [...openCheckedRuleFile(text, "").rules] };
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
