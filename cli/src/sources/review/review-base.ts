import { RuleFileError } from "@devid/rules";
import type { ReviewSubject } from "@devid/review";
import { isFile } from "../rule-files";
import {
  ruleSetInFile,
  contentOfFile,
  type NamedRuleSet,
} from "../rule-set-source";
import { UsageError } from "../../errors";
import { gitBase } from "./git-base";
import { GitRepository } from "./git-repository";

/**
 * Reads the rules that a rule file is compared with: a file, or a version of the same file
 * in git. A version that is missing or not valid becomes a part of the answer, not an error.
 * @param base a file, a git ref or `REF:PATH`; default: the target branch of the change
 * @param instead reads the rules in force if the version in git is not valid; undefined if
 * they are unknown
 * @param resource name or URN of the rule set, if the base is a preview with several
 * @throws UsageError; the errors of the client
 */
export async function reviewBase(
  file: string,
  base: string | undefined,
  instead: () => Promise<NamedRuleSet | undefined>,
  resource?: string,
): Promise<ReviewSubject["base"]> {
  if (base !== undefined && isFile(base)) {
    const read = validOrProblem(() => ruleSetInFile(base, resource));
    return "problem" in read ? { name: base, absent: read.problem } : read;
  }
  const repository = await repositoryOf(file, base);
  const { name, path, text, note } = await gitBase(repository, base);
  if (text === undefined)
    return {
      name,
      rules: [],
      assumeNotSent: [],
      isMissing: true,
      note: `the file is not there at ${name}, so it is compared with no rules`,
    };
  const read = validOrProblem(() => ({
    name,
    ...contentOfFile(text, name.startsWith(path) ? name : `${path} at ${name}`),
  }));
  if (!("problem" in read)) return { ...read, ...(note && { note }) };
  const inForce = await instead();
  return inForce
    ? {
        ...inForce,
        // No test of an invalid file runs, so a repair has no fewer.
        tests: 0,
        note: `compared with the rules in force, because ${read.problem}`,
      }
    : { name, absent: read.problem };
}

async function repositoryOf(
  path: string,
  base: string | undefined,
): Promise<GitRepository> {
  try {
    return await GitRepository.around(path);
  } catch (error) {
    throw new UsageError(
      base === undefined
        ? `What the file is compared with cannot be looked up: ${(error as Error).message} Name the base: a file, or live for the rules in force.`
        : `"${base}" is not a file, and as a git ref it cannot be looked up: ${(error as Error).message}`,
    );
  }
}

function validOrProblem(read: () => NamedRuleSet) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RuleFileError)) throw error;
    const [first] = error.problems;
    const place = first ? `: line ${first.line}: ${first.message}` : "";
    return { problem: `${error.path} is not a valid rule file${place}` };
  }
}
