import { readFileSync } from "node:fs";
import type { Rule } from "../rule-set/rule";
import { openRuleFile } from "./open-rule-file";
import { ruleFileText } from "./rule-file-text";

/**
 * Reads the rules of a rule file, YAML or JSON.
 * @throws RuleFileError with the place of every mistake; Node's error when the
 * file cannot be opened
 */
export function readRuleFile(path: string): readonly Rule[] {
  return parseRuleFile(ruleFileText(readFileSync(path)), path);
}

/** The rules in the text of a rule file. @throws RuleFileError */
export function parseRuleFile(text: string, path: string): readonly Rule[] {
  return openRuleFile(text, path).rules;
}
