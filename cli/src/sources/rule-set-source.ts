import {
  checkExpression,
  expressionProblem,
  openRuleFile,
  RuleFileError,
  type Rule,
} from "@devid/rules";
import { configuredClient } from "./configured-client";
import { LiveRules } from "./live-rules";
import type { PreviewedEnvironment } from "./previewed-rules";
import { readTextFile } from "./rule-files";

/**
 * Options that say which rules are meant if the name of a source leaves it
 * open.
 */
export interface SourceOptions {
  /**
   * ID or name of the environment of `live` rules. Default: the environment of
   * the preview on the other side, or else the default environment.
   */
  readonly environment?: string;
  /** Region of `live` rules. */
  readonly region?: string;
  /** Name or URN of a rule set of a preview. */
  readonly resource?: string;
}

/** A rule set and its name in reports. */
export interface NamedRuleSet {
  readonly name: string;
  readonly rules: readonly Rule[];
  /** The number of tests in a rule file; absent for other sources. */
  readonly tests?: number;
  /** The environment that a preview names. */
  readonly environment?: PreviewedEnvironment;
  /** Of a rule file: the headers that it says no client sends. */
  readonly assumeNotSent?: readonly string[];
}

/**
 * Reads two rule sets to compare. Each is `live`, the rules in force in an
 * environment, or a file: a rule file or the output of `pulumi preview --json`.
 * Next to a preview, `live` means the rules in force in the preview's
 * environment.
 * @throws UsageError; RuleFileError, also for a mistake in an expression; the
 * errors of the client
 */
export async function readRuleSets(
  before: string,
  after: string,
  options: SourceOptions,
): Promise<[NamedRuleSet, NamedRuleSet]> {
  const fileOf = (source: string) =>
    source === "live" ? undefined : ruleSetInFile(source, options.resource);
  const was = await fileOf(before);
  const is = await fileOf(after);
  const isNextTo = (was ?? is)?.environment;
  const live = () => readLive(options, isNextTo);
  return [was ?? (await live()), is ?? (await live())];
}

/**
 * Reads the rule set in a file: a rule file, or the output of `pulumi preview
 * --json`.
 * @throws UsageError; RuleFileError, also for a mistake in an expression
 */
export async function ruleSetInFile(
  path: string,
  resource: string | undefined,
): Promise<NamedRuleSet> {
  const { text } = readTextFile(path);
  const ruleFile = () => ({ name: path, ...contentOfFile(text, path) });
  // Most rule files are YAML, and need nothing of the provider.
  if (!text.trimStart().startsWith("{")) return ruleFile();
  const { isPreview, readPreview } = await import("@devid/pulumi/state");
  if (!isPreview(text)) return ruleFile();
  const { pickRuleSet, plannedRules, previewedEnvironment, ruleSetsOf } =
    await import("./previewed-rules.js");
  const shown = pickRuleSet(
    ruleSetsOf(readPreview(text, path)),
    path,
    resource,
  );
  const environment = previewedEnvironment(shown);
  const id = typeof environment === "object" ? `, ${environment.id}` : "";
  return {
    name: `${path} (${shown.name}${id})`,
    rules: plannedRules(shown, path),
    environment,
  };
}

async function readLive(
  options: SourceOptions,
  previewed: PreviewedEnvironment | undefined,
): Promise<NamedRuleSet> {
  if (options.environment === undefined && previewed === "not known yet")
    return { name: "live (an environment that is not there yet)", rules: [] };
  const id = typeof previewed === "object" ? previewed.id : undefined;
  const live = new LiveRules(await configuredClient(options));
  return live.named(options.environment ?? id);
}

/**
 * Parses the text of a rule file.
 * @throws RuleFileError, also for a mistake in an expression
 */
export const rulesOfFile = (text: string, path: string): readonly Rule[] =>
  contentOfFile(text, path).rules;

/** As `rulesOfFile`, with the number of tests and the headers that no client sends. */
export function contentOfFile(
  text: string,
  path: string,
): Required<Pick<NamedRuleSet, "rules" | "tests" | "assumeNotSent">> {
  const file = openRuleFile(text, path);
  const problems = file.rules.flatMap(({ expression }, index) => {
    const checked = checkExpression(expression);
    if (checked.ok) return [];
    return checked.problems.map((problem) =>
      expressionProblem(file, index, problem),
    );
  });
  if (problems.length > 0) throw new RuleFileError(path, problems);
  const { rules, tests, assumeNotSent } = file;
  return { rules, tests: tests.length, assumeNotSent };
}
