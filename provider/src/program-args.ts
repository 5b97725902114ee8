import { readRuleFile, RuleFileError } from "@devid/sdk";

/**
 * Reads `rulesFile` into `rules`, where a rule set is constructed; the path is
 * relative to the program's working directory.
 * @throws RuleFileError with the place of every mistake
 */
export function rulesFromFile<
  A extends { readonly rules?: unknown; readonly rulesFile?: string },
>({ rulesFile, ...args }: A): Omit<A, "rulesFile"> {
  if (rulesFile === undefined) return args;
  if (args.rules !== undefined)
    throw new Error("A FilteringRuleSet takes rules or rulesFile, not both.");
  try {
    return { ...args, rules: readRuleFile(rulesFile) };
  } catch (error) {
    if (error instanceof RuleFileError) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(`The rule file ${rulesFile} cannot be read: ${problem}`, {
      cause: error,
    });
  }
}
