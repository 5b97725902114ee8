import { diffRules } from "../diff/diff-rules";
import { applyEdits } from "../language/syntax/text-edit";
import type { LintOptions } from "../lint/set/linted-set";
import { checkRuleFile, type RuleFileFinding } from "./check-rule-file";
import { parseRuleFile } from "./rule-file";
import { RuleFileError } from "./rule-file-error";

/** Which fixes are applied. */
export interface FixOptions extends LintOptions {
  /**
   * Decides about each fix that changes the meaning, may change it, or leaves out what
   * the author wrote, whether it is applied. Default: none is.
   */
  readonly accepts?: (finding: RuleFileFinding) => boolean | Promise<boolean>;
}

/** A rule file with its fixes applied. */
export interface FixedRuleFile {
  readonly text: string;
  /** The findings whose edits were applied, in their order. */
  readonly fixed: readonly RuleFileFinding[];
  /** What is found in the text now. */
  readonly left: readonly RuleFileFinding[];
}

/**
 * Applies the fixes of findings until none is left that may be applied. All that
 * keep the meaning and what is written are; together they are proven once more to change no decision.
 * A fix that would make the file invalid is left out, and so is one that would lead
 * back to an earlier text.
 */
export async function fixRuleFile(
  text: string,
  path: string,
  { accepts = () => false, ...lint }: FixOptions = {},
): Promise<FixedRuleFile> {
  const seen = new Set([text]);
  const left = new Set<string>();
  const fixed: RuleFileFinding[] = [];
  let current = text;
  const apply = (findings: readonly RuleFileFinding[]): boolean => {
    const next = applyEdits(
      current,
      findings.flatMap(({ edits = [] }) => edits),
    );
    if (seen.has(next) || !isSound(findings, current, next, path, lint))
      return false;
    seen.add(next);
    fixed.push(...findings);
    current = next;
    return true;
  };
  for (;;) {
    const findings = checkRuleFile(current, path, lint);
    const fixable = findings.filter(
      (finding) => finding.edits && !left.has(identityOf(finding)),
    );
    const kept = fixable.filter(isUnasked);
    const together = unaskedFixes(kept);
    if (together.length > 1 && apply(together)) continue;
    const [first = fixable[0]] = kept;
    if (!first) return { text: current, fixed, left: findings };
    const isWanted = isUnasked(first) || (await accepts(first));
    if (!isWanted || !apply([first])) left.add(identityOf(first));
  }
}

/** Whether a fix is applied without a question. */
const isUnasked = ({ keepsMeaning, removes }: RuleFileFinding) =>
  keepsMeaning === true && removes !== true;

const identityOf = ({ code, rule, message, edits = [] }: RuleFileFinding) =>
  JSON.stringify([code, rule, message, edits.map(({ text }) => text)]);

/**
 * The findings whose fixes are made at once and without a question: they keep the meaning
 * and what is written. Of each rule it is the first one, because edits of one rule may overlap.
 */
export const unaskedFixes = (
  findings: readonly RuleFileFinding[],
): readonly RuleFileFinding[] => [
  ...new Map(
    findings
      .filter((finding) => finding.edits && isUnasked(finding))
      .toReversed()
      .map((finding) => [finding.rule, finding]),
  ).values(),
];

/** Whether a text with edits is a rule file, and, for several edits, is proven to decide all requests as before. */
function isSound(
  findings: readonly RuleFileFinding[],
  before: string,
  after: string,
  path: string,
  lint: LintOptions,
): boolean {
  try {
    const rules = parseRuleFile(after, path);
    return (
      findings.length === 1 ||
      diffRules(parseRuleFile(before, path), rules, lint).effect.class ===
        "none"
    );
  } catch (error) {
    if (error instanceof RuleFileError) return false;
    throw error;
  }
}
