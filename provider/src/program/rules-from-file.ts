import type * as rules from "@devid/rules";
import { requirePlain, runError } from "./program-errors";

/** The package is loaded with the first rule file: most programs need none of it. */
const rulesPackage = () =>
  // oxlint-disable-next-line typescript/no-require-imports -- a constructor cannot await an import
  require("@devid/rules") as typeof rules;

/**
 * Replaces the argument `rulesFile` of a rule set by the rules in that file. The
 * path is relative to the program's working directory.
 * @throws RunError with the place of every mistake, those in expressions included, or why
 * the file cannot be read
 */
export function rulesFromFile<
  A extends { readonly rules?: unknown; readonly rulesFile?: string },
>({ rulesFile, ...args }: A): Omit<A, "rulesFile"> {
  if (rulesFile === undefined) return args;
  if (args.rules !== undefined)
    throw runError("A FilteringRuleSet takes rules or rulesFile, not both.");
  requirePlain("rulesFile of a FilteringRuleSet", rulesFile);
  const {
    decodeRuleFile,
    openCheckedRuleFile,
    readProjectFile,
    RuleFileError,
  } = rulesPackage();
  try {
    const text = decodeRuleFile(readProjectFile(rulesFile));
    return { ...args, rules: openCheckedRuleFile(text, rulesFile).rules };
  } catch (error) {
    if (error instanceof RuleFileError) throw runError(error.message);
    const problem = error instanceof Error ? error.message : String(error);
    throw runError(`The rule file ${rulesFile} cannot be read: ${problem}`);
  }
}
