import { isMap, isSeq, parseDocument } from "yaml";
import { checkExpression, codeFrame } from "./expression";
import { expressionPlaces } from "./expression-places";
import {
  parseRuleFile,
  RuleFileError,
  type RuleFileProblem,
} from "./rule-file";

/** A mistake in a rule file, its place and a picture of it. */
export interface RuleFileFinding extends RuleFileProblem {
  /** Name of the rule whose expression it is in; absent for a mistake of the file itself. */
  readonly rule?: string;
  /** The line with the place marked, plain text, at most 80 columns. */
  readonly frame: string;
}

/** Whether a text is a rule file, as far as that can be seen: it has a list of rules. */
export function isRuleFile(text: string): boolean {
  const document = parseDocument(text);
  return isMap(document.contents) && isSeq(document.contents.get("rules"));
}

/** Checks a rule file offline, the expressions of its rules included; empty when nothing is wrong. */
export function checkRuleFile(text: string, path: string): RuleFileFinding[] {
  try {
    let places: ReturnType<typeof expressionPlaces> | undefined;
    return parseRuleFile(text, path).flatMap(({ name, expression }, index) => {
      const checked = checkExpression(expression);
      if (checked.ok) return [];
      places ??= expressionPlaces(text);
      const placeOf = places[index];
      return checked.problems.map((problem) => {
        const place = placeOf?.(problem.offset);
        const { line = 1, column = 1 } = place ?? {};
        // Folded or escaped text: the picture is of the expression as it reads.
        const frame = place?.exact
          ? codeFrame(text, { ...problem, ...place })
          : codeFrame(expression, problem);
        return { rule: name, line, column, message: problem.message, frame };
      });
    });
  } catch (error) {
    if (!(error instanceof RuleFileError)) throw error;
    return error.problems.map((problem) => ({
      ...problem,
      frame: codeFrame(text, { ...problem, offset: 0, length: 1 }),
    }));
  }
}
