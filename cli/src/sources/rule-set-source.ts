import { isPreview, readPreview } from "@devid/pulumi/state";
import { openCheckedRuleFile, type Rule } from "@devid/rules";
import {
  pickRuleSet,
  plannedRules,
  previewedEnvironment,
  ruleSetsOf,
  type PreviewedEnvironment,
} from "./previewed-rules";
import { calculate } from "../interruption";
import { readOutput, readTextFile } from "./rule-files";

/** A rule set and its name in reports. */
export interface NamedRuleSet {
  readonly name: string;
  readonly rules: readonly Rule[];
  /** The number of tests in a rule file; absent for other sources. */
  readonly tests?: number;
  readonly environment?: PreviewedEnvironment;
  /** Of a rule file: the headers that it says no client sends. */
  readonly assumeNotSent?: readonly string[];
}

/**
 * Reads the rule set in a file: a rule file, or the output of `pulumi preview --json`, of
 * which those count that it would put in force.
 * @throws UsageError; RuleFileError, also for a mistake in an expression
 */
export function ruleSetInFile(
  path: string,
  resource: string | undefined,
): NamedRuleSet {
  const output = readOutput(path);
  if (!isPreview(output)) {
    // A preview may be UTF-16, and a rule file only UTF-8, as every other command reads it.
    const { text } = readTextFile(path);
    return { name: path, ...contentOfFile(text, path) };
  }
  const sets = ruleSetsOf(readPreview(output, path));
  const shown = pickRuleSet(sets, path, resource);
  const environment = previewedEnvironment(shown);
  const id = typeof environment === "object" ? `, ${environment.id}` : "";
  const rules = plannedRules(shown, path);
  return { name: `${path} (${shown.name}${id})`, rules, environment };
}

/**
 * The rules of the text of a rule file, the number of its tests, and the headers that no
 * client sends.
 * @throws RuleFileError, also for a mistake in an expression
 */
export function contentOfFile(
  text: string,
  path: string,
): Required<Pick<NamedRuleSet, "rules" | "tests" | "assumeNotSent">> {
  const { rules, tests, assumeNotSent } = calculate(() =>
    openCheckedRuleFile(text, path),
  );
  return { rules, tests: tests.length, assumeNotSent };
}
