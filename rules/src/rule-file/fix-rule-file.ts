import { diffRules } from "../diff/diff-rules";
import { applyEdits } from "../language/syntax/text-edit";
import { DEFAULT_WITHIN_MS, type LintOptions } from "../lint/set/linted-set";
import { checkRuleFile, type RuleFileFinding } from "./check-rule-file";
import { TimeLimit } from "../time-limit";
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
 * Applies fixes until none is left that may be applied, or until the time limit of lint is
 * over. Fixes that keep the meaning and remove nothing are applied without a question:
 * together they are proven again to change no decision, and they are taken back if lint
 * still finds the same mistakes in the fixed rules. A fix is skipped if it would make the
 * file or an expression invalid, or lead back to an earlier text.
 */
export async function fixRuleFile(
  text: string,
  path: string,
  {
    accepts = () => false,
    withinMs = DEFAULT_WITHIN_MS,
    time = new TimeLimit(withinMs),
    ...rest
  }: FixOptions = {},
): Promise<FixedRuleFile> {
  const lint: LintOptions = { ...rest, time };
  const seen = new Set([text]);
  const skipped = new Set<string>();
  const fixed: RuleFileFinding[] = [];
  let current = text;
  let findings = checkRuleFile(current, path, lint);
  /** Applies the edits of findings; false if that is not sound, or does not help. */
  const apply = (chosen: readonly RuleFileFinding[], isAsked: boolean) => {
    const next = applyEdits(
      current,
      chosen.flatMap(({ edits = [] }) => edits),
    );
    if (seen.has(next)) return false;
    const found = checkRuleFile(next, path, lint);
    if (mistakesIn(found) > mistakesIn(findings)) return false;
    if (!isAsked && !areGone(chosen, findings, found)) return false;
    seen.add(next);
    fixed.push(...chosen);
    current = next;
    findings = found;
    return true;
  };
  const applyNext = async (): Promise<boolean> => {
    const fixable = findings.filter(
      (finding) => finding.edits && !skipped.has(identityOf(finding)),
    );
    const unasked = unaskedFixes(fixable, current, path, lint);
    if (unasked.length > 1 && apply(unasked, false)) return true;
    const asked = fixable.filter((finding) => !isUnasked(finding));
    for (const finding of [...fixable.filter(isUnasked), ...asked]) {
      if (time.isOver) return false;
      const isAsked = !isUnasked(finding);
      if (isAsked && !(await accepts(finding)))
        skipped.add(identityOf(finding));
      else if (apply([finding], isAsked)) return true;
      else skipped.add(identityOf(finding));
    }
    return false;
  };
  while (!time.isOver && (await applyNext()));
  return { text: current, fixed, left: findings };
}

/** How many mistakes of the file and in expressions are found. */
const mistakesIn = (findings: readonly RuleFileFinding[]) =>
  findings.filter(({ code }) => /^invalid-(?:file|expression)$/.test(code))
    .length;

/** Whether lint finds fewer mistakes of each code in each rule, by as many as were fixed. */
function areGone(
  fixed: readonly RuleFileFinding[],
  before: readonly RuleFileFinding[],
  after: readonly RuleFileFinding[],
): boolean {
  return fixed.every(({ code, rule }) => {
    const countIn = (findings: readonly RuleFileFinding[]) =>
      findings.filter((one) => one.code === code && one.rule === rule).length;
    return countIn(after) <= countIn(before) - countIn(fixed);
  });
}

const isUnasked = ({ keepsMeaning, removes }: RuleFileFinding) =>
  keepsMeaning === true && removes !== true;

const identityOf = ({ code, rule, message, edits = [] }: RuleFileFinding) =>
  JSON.stringify([code, rule, message, edits.map(({ text }) => text)]);

/**
 * The findings whose fixes are applied together, without a question: they keep the
 * meaning and remove nothing. Of edits that overlap, the first is taken. Two fixes can
 * each keep the meaning because of the other rule, so only the first is left if it is
 * not proven that all together change no decision.
 */
export function unaskedFixes(
  findings: readonly RuleFileFinding[],
  text: string,
  path: string,
  lint?: LintOptions,
): readonly RuleFileFinding[] {
  let end = 0;
  const chosen = findings
    .flatMap((finding) => {
      const { edits = [] } = finding;
      const [first] = edits;
      return first && isUnasked(finding) ? [{ finding, edits, first }] : [];
    })
    .sort((a, b) => a.first.offset - b.first.offset)
    .filter(({ edits }) => {
      if (edits.some(({ offset }) => offset < end)) return false;
      end = Math.max(...edits.map(({ offset, length }) => offset + length));
      return true;
    });
  const edits = chosen.flatMap((one) => one.edits);
  const isProven =
    chosen.length < 2 ||
    isSameDecision(text, applyEdits(text, edits), path, lint);
  return chosen
    .slice(0, isProven ? undefined : 1)
    .map(({ finding }) => finding);
}

/** Whether it is proven that two texts of a rule file decide every request alike. */
function isSameDecision(
  before: string,
  after: string,
  path: string,
  lint?: LintOptions,
): boolean {
  try {
    const [a = [], b = []] = [before, after].map((text) =>
      parseRuleFile(text, path),
    );
    return diffRules(a, b, lint).effect.class === "none";
  } catch (error) {
    if (error instanceof RuleFileError) return false;
    throw error;
  }
}
