import type { Rule } from "@devid/sdk/rules";
import { configuredClient } from "./configured-client";
import { readTextFile } from "./rule-files";

/** Which rules are meant, where the name of a source leaves that open. */
export interface SourceOptions {
  /** ID or name of the environment of `live` rules. Default: the default environment. */
  readonly environment?: string;
  /** Region of `live` rules. */
  readonly region?: string;
  /** Name or URN of a rule set of a preview. */
  readonly resource?: string;
}

/** A rule set and what it is called. */
export interface NamedRuleSet {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/**
 * Reads a rule set: `live`, the rules in force in an environment, or a file,
 * which is a rule file or the output of `pulumi preview --json`.
 * @throws UsageError; RuleFileError, also for a mistake in an expression; the
 * errors of the client
 */
export async function readRuleSet(
  source: string,
  options: SourceOptions,
): Promise<NamedRuleSet> {
  if (source === "live") return readLive(options);
  const { text } = readTextFile(source);
  const { isPreview } = await import("./pulumi-preview.js");
  if (!isPreview(text))
    return { name: source, rules: await rulesOfFile(text, source) };
  const { previewedRules } = await import("./previewed-rules.js");
  const rules = previewedRules(text, source, options.resource);
  return { name: source, rules };
}

async function readLive(options: SourceOptions): Promise<NamedRuleSet> {
  const { liveRules } = await import("./live-rules.js");
  const client = await configuredClient(options);
  const { environment, rules } = await liveRules(client, options.environment);
  return { name: `live (${environment.name}, ${environment.id})`, rules };
}

/** The rules in the text of a rule file. @throws RuleFileError, also for a mistake in an expression */
export async function rulesOfFile(
  text: string,
  path: string,
): Promise<readonly Rule[]> {
  const { checkExpression, expressionProblem, openRuleFile, RuleFileError } =
    await import("@devid/sdk/rules");
  const file = openRuleFile(text, path);
  const problems = file.rules.flatMap(({ expression }, index) => {
    const checked = checkExpression(expression);
    if (checked.ok) return [];
    return checked.problems.map((problem) =>
      expressionProblem(file, index, problem),
    );
  });
  if (problems.length > 0) throw new RuleFileError(path, problems);
  return file.rules;
}
