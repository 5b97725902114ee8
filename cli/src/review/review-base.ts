import { statSync } from "node:fs";
import type { ReviewSubject } from "@devid/sdk/rules/review";
import {
  readRuleSet,
  rulesOfFile,
  type NamedRuleSet,
  type SourceOptions,
} from "../rule-set-source";
import { fileAtRef } from "./git-file";

/**
 * What a rule file is compared with: `live`, a file, or else the same file at a
 * git ref, where it may not be yet. A file that is not valid is reported as such.
 * @throws UsageError; the errors of the client
 */
export async function reviewBase(
  source: string,
  path: string,
  options: SourceOptions,
): Promise<ReviewSubject["base"]> {
  if (source === "live" || isFile(source))
    return orAbsent(source, () => readRuleSet(source, options));
  const text = await fileAtRef(path, source);
  if (text === undefined)
    return {
      name: source,
      rules: [],
      note: `the file is not there at ${source}, so it is compared with no rules`,
    };
  return orAbsent(source, async () => ({
    name: source,
    rules: await rulesOfFile(text, `${path} at ${source}`),
  }));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

async function orAbsent(
  name: string,
  read: () => Promise<NamedRuleSet>,
): Promise<ReviewSubject["base"]> {
  const { RuleFileError } = await import("@devid/sdk/rules");
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RuleFileError)) throw error;
    const [first] = error.problems;
    const place = first ? `: line ${first.line}: ${first.message}` : "";
    return { name, absent: `${error.path} is not a valid rule file${place}` };
  }
}
