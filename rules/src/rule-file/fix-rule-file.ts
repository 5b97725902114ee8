import { diffRules } from "../diff/diff-rules";
import { applyEdits } from "../language/syntax/text-edit";
import type { LintOptions } from "../lint/set/linted-set";
import { checkRuleFile, type RuleFileFinding } from "./check-rule-file";
import { parseRuleFile } from "./rule-file";
import { RuleFileError } from "./rule-file-error";

/** Which fixes are applied. */
export interface FixOptions extends LintOptions {
  /**
   * Decides whether to apply a fix that may change the meaning or removes something.
   * Default: no such fix is applied.
   */
  readonly accepts?: (finding: RuleFileFinding) => boolean | Promise<boolean>;
}

/** A rule file with its fixes applied. */
export interface FixedRuleFile {
  readonly text: string;
  /** The findings whose edits were applied, in their order. */
  readonly fixed: readonly RuleFileFinding[];
  /** The findings in the fixed text. */
  readonly left: readonly RuleFileFinding[];
}

/**
 * Applies fixes until none is left that may be applied. Fixes that keep the meaning and
 * remove nothing are applied without a question, and together proven again to change no
 * decision. A fix is skipped if it would make the file invalid or lead back to an
 * earlier text.
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

const isUnasked = ({ keepsMeaning, removes }: RuleFileFinding) =>
  keepsMeaning === true && removes !== true;

const identityOf = ({ code, rule, message, edits = [] }: RuleFileFinding) =>
  JSON.stringify([code, rule, message, edits.map(({ text }) => text)]);

/**
 * The findings whose fixes are applied together, without a question: they keep the
 * meaning and remove nothing. Each rule has one at most, its first, because edits of
 * one rule may overlap.
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

/**
 * Whether a text with edits is a rule file. For several edits, it must also be proven
 * that they change no decision.
 */
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
