import type { Node } from "yaml";
import { codeFrame, type RuleRequest, type Span } from "../language";
import { inOrder, problemAt, type Stretch } from "../language/syntax/problem";
import type { Severity } from "../lint/set/lint";
import { LINTS } from "../lint/lints";
import type { TextEdit } from "../language/syntax/text-edit";
import { fixEffect } from "../lint/fix-effect";
import { describeEffect } from "../diff/describe-effect";
import {
  failedCheck,
  identities,
  lintSet,
  outOfTime,
  type TreeFinding,
} from "../lint/lint-rules";
import { LintedSet, type LintOptions } from "../lint/set/linted-set";
import { onceFor } from "../once-for";
import { openLeniently, type RuleFile } from "./rule-file";
import { NOT_UTF8, withoutConflictMarkers } from "./text-mistakes";
import { parseYaml, YamlLimitError } from "./bounded-yaml";
import {
  isLint,
  lintToWrite,
  withoutAllowed,
  type AllowProblem,
} from "./allowed-findings";
import { editsInFile, ruleListIn } from "./yaml-edits";
import { unquotedExpressions } from "./unquoted-expressions";

/**
 * A mistake in a rule file, or a rule that looks like one, and its place. If an expression
 * is escaped or folded in the file, that is the place of the whole expression.
 */
export interface RuleFileFinding extends Stretch {
  /** `invalid-file`, `invalid-expression`, or the code of a lint (docs/lint.md). */
  readonly code: string;
  readonly severity: Severity;
  /** Name of the rule that it is about; absent for a mistake of the file itself. */
  readonly rule?: string;
  /** Where its code is documented, from the root of the repository. */
  readonly docs: string;
  readonly message: string;
  /** The line with the place marked, plain text, at most 80 columns. */
  readonly frame: string;
  /** What to do; absent if the message says it. */
  readonly fix?: string;
  /**
   * The fix as data: replacements of parts of the file, in UTF-16 units from its start.
   * Absent if a person must choose.
   */
  readonly edits?: readonly TextEdit[];
  /** With `edits`: whether it is proven that they change no decision. */
  readonly keepsMeaning?: boolean;
  /**
   * With `edits`: whether they remove a rule, a condition, a value or a comment. The
   * user is asked first, because useless text may be misspelt.
   */
  readonly removes?: boolean;
  /** With `edits` that may change a decision: what they change, in the words of a diff. */
  readonly changes?: readonly string[];
  /** A request that shows it. */
  readonly request?: RuleRequest;
  /** Names of other rules that it is about. */
  readonly others?: readonly string[];
}

/** Whether a text looks like a rule file: it has a list of rules. */
export function isRuleFile(text: string): boolean {
  try {
    return ruleListIn(parseYaml(withoutConflictMarkers(text))) !== undefined;
  } catch (error) {
    if (!(error instanceof YamlLimitError)) throw error;
    // The check of the file says what is wrong with it.
    return /^[\s{]*"?rules"?\s*:/m.test(text);
  }
}

/**
 * Checks a rule file offline: the file, the expressions of its rules, and what
 * lint says of the rules; `path` is not opened.
 * @returns the findings in the order of their places; empty when nothing is wrong
 */
export function checkRuleFile(
  text: string,
  path: string,
  options?: LintOptions,
): RuleFileFinding[] {
  return identifiedFindings(text, path, options).map(({ finding }) => finding);
}

/** A finding with its identity, which is the same in other versions of the file. */
export interface IdentifiedFinding {
  readonly finding: RuleFileFinding;
  /** From `identities` of lint; absent for a mistake. */
  readonly identity?: string;
}

/**
 * As `checkRuleFile`, with the identity of each finding of lint.
 * @param opened the file, if it is already open
 */
export function identifiedFindings(
  text: string,
  path: string,
  options?: LintOptions,
  opened?: RuleFile,
): IdentifiedFinding[] {
  const { file, problems } = opened
    ? { file: opened, problems: [] }
    : openLeniently(text, path);
  // Where the rules can be read, the mistakes in them are found there.
  const mistakes = problems
    .filter(({ rule }) => !file || rule === undefined)
    .map((problem): IdentifiedFinding => {
      const code =
        problem.rule === undefined ? "invalid-file" : "invalid-expression";
      return {
        finding: {
          ...problem,
          code,
          severity: "error",
          docs: pageOf(code),
          frame: frameOf(text.replaceAll(NOT_UTF8, "\ufffd"), problem),
        },
      };
    });
  const found = file ? findingsIn(file, options) : [];
  return [...mistakes, ...found].sort((a, b) => inOrder(a.finding, b.finding));
}

function findingsIn(
  file: RuleFile,
  options?: LintOptions,
): IdentifiedFinding[] {
  const set = new LintedSet(file.rules, options);
  const mistakes = set.refused.flatMap(({ rule, index, problems }) =>
    problems.map((problem) => ({
      finding: {
        code: "invalid-expression",
        severity: "error" as const,
        docs: pageOf("invalid-expression"),
        rule: rule.name,
        fix: fixOfComment(file, index),
        ...placed(file, index, problem.message, problem),
      },
    })),
  );
  const identityOf = identities(set);
  const found = lintSet(set).flatMap((one) => {
    const severity = file.lint[one.code] ?? one.severity;
    return severity === "off" ? [] : [{ ...one, severity }];
  });
  const wrong = new Set(set.refused.map(({ rule }) => rule.name));
  const { left, problems } = withoutAllowed(
    file,
    found,
    (rule) =>
      set.isOutOfTime ||
      (rule === undefined ? wrong.size > 0 : wrong.has(rule)),
  );
  const comments = [...problems, ...unknownLints(file)].map((problem) => ({
    finding: commentFinding(file, problem),
  }));
  let unproven = 0;
  const lints = left.flatMap((found) => {
    const { code, rule, index } = found;
    // What the edits change is proven within the time of lint.
    if (found.edits && set.time.isOver) {
      unproven++;
      return [{ found, fix: {} }];
    }
    try {
      return [{ found, fix: fixOf(found, file, set) }];
    } catch (error) {
      const failed = failedCheck(code, rule, index, String(error));
      return [found, failed].map((one) => ({ found: one, fix: {} }));
    }
  });
  if (unproven > 0)
    lints.push({
      found: outOfTime(set, `prove what all fixes change (${unproven} left)`),
      fix: {},
    });
  const shown = lints.map(({ found, fix }) => {
    const { index, span, edits, removes, ...finding } = found;
    const place = placed(file, index, finding.message, span);
    return {
      finding: { ...finding, docs: pageOf(finding.code), ...place, ...fix },
      identity: identityOf(found),
    };
  });
  return [...mistakes, ...shown, ...comments];
}

/** Marks a place of a file. The byte order mark is not shown. */
const frameOf = (text: string, place: Stretch) =>
  codeFrame(text.replace(/^\ufeff/, ""), place);

/** A finding about a comment or a severity for lints. */
function commentFinding(
  { text, stretchAt }: RuleFile,
  { span, code, edits, ...problem }: AllowProblem,
): RuleFileFinding {
  const { line, column, end } = stretchAt(span);
  return {
    ...problem,
    code,
    severity: "warning",
    docs: pageOf(code),
    ...{ line, column, end },
    frame: frameOf(text, { line, column, end }),
    ...(edits && { edits, keepsMeaning: true, removes: true }),
  };
}

function unknownLints({ document, lint }: RuleFile): AllowProblem[] {
  return Object.keys(lint)
    .filter((code) => !isLint(code))
    .map((code) => {
      const node = document.getIn(["lint", code], true) as Node | undefined;
      const [offset = 0, end = 0] = node?.range ?? [];
      return {
        code: "invalid-allow",
        span: { offset, length: end - offset },
        message: `there is no lint ${code}, so this changes nothing`,
        fix: lintToWrite(code),
      };
    });
}

/** A finding's fix as edits of the file, and what they do; empty if there are none. */
function fixOf(
  found: TreeFinding,
  file: RuleFile,
  set: LintedSet,
): Pick<RuleFileFinding, "edits" | "keepsMeaning" | "removes" | "changes"> {
  const edits = found.edits && editsInFile(file, found.index, found.edits);
  if (!edits) return {};
  const isDeleted = found.edits?.some(({ kind }) => kind === "delete") === true;
  const removes = (isDeleted || found.removes === true) && { removes: true };
  const effect = fixEffect(found, set);
  if (effect.class === "none") return { edits, keepsMeaning: true, ...removes };
  const changes = describeEffect(effect).map(({ text }) => text);
  return { edits, keepsMeaning: false, ...removes, changes };
}

const pageOf = (code: string) =>
  LINTS.some((lint) => lint.code === code)
    ? `docs/lint.md#${code}`
    : "docs/lint.md";

/** Where expressions begin that YAML does not read as they are written. */
const unquotedIn = onceFor(
  ({ text }: RuleFile) =>
    new Set(unquotedExpressions(text).map(({ offset }) => offset)),
);

/** The fix of an expression of which YAML reads the end as a comment, as in `any(list, # == 'a')`. */
function fixOfComment(file: RuleFile, index: number): string | undefined {
  const { offset } = file.placeInExpression(index, { offset: 0, length: 0 });
  return unquotedIn(file).has(offset)
    ? "put it in double quotes or in a block (|-), as devid rules fmt does: in YAML, # after a space begins a comment"
    : undefined;
}

/** A message about a part of a rule's expression, or all of it, at its place in the file. */
function placed(
  { text, rules, placeInExpression }: RuleFile,
  index: number,
  message: string,
  marked?: Span,
) {
  const { expression = "" } = rules[index] ?? {};
  const span = marked ?? { offset: 0, length: expression.trimEnd().length };
  const place = placeInExpression(index, span);
  const { line, column, end, exact } = place;
  // In folded or escaped text the frame shows the expression as it reads.
  const frame = exact
    ? frameOf(text, place)
    : codeFrame(expression, problemAt(expression, span, message));
  return { line, column, end, message, frame };
}
