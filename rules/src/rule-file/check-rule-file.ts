import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import {
  checkExpression,
  codeFrame,
  type RuleRequest,
  type Span,
} from "../language";
import { problemAt } from "../language/syntax/problem";
import type { Severity } from "../lint/lint";
import { identities, lintSet } from "../lint/lint-rules";
import { LintedSet, type LintOptions } from "../lint/linted-set";
import {
  openRuleFile,
  withoutConflictMarkers,
  type RuleFile,
} from "./rule-file";
import { findSecrets, maskSecrets } from "./literal-secrets";
import { RuleFileError } from "./rule-file-error";
import { showableText } from "./rule-file-text";

/** A mistake in a rule file, or a rule that looks like one. Lines and columns count from 1. */
export interface RuleFileFinding {
  /** `invalid-file`, `invalid-expression`, `literal-secret`, or the code of a lint (docs/lint.md). */
  readonly code: string;
  readonly severity: Severity;
  /** Name of the rule that it is about; absent for a mistake of the file itself. */
  readonly rule?: string;
  readonly line: number;
  /** In characters. */
  readonly column: number;
  /**
   * Where its text ends, behind its last character. Absent for a mistake of
   * the file itself, and where the file spells an expression otherwise than it reads.
   */
  readonly end?: { readonly line: number; readonly column: number };
  readonly message: string;
  /** The line with the place marked, plain text, at most 80 columns. */
  readonly frame: string;
  /** What to do about it; absent where the message says it. */
  readonly fix?: string;
  /** A request that shows it. */
  readonly request?: RuleRequest;
  /** Names of other rules that it is about. */
  readonly others?: readonly string[];
}

/** Whether a text looks like a rule file: it has a list of rules. */
export function isRuleFile(text: string): boolean {
  const document = parseDocument(withoutConflictMarkers(text));
  return isMap(document.contents) && isSeq(document.contents.get("rules"));
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

/** A finding, and what it has in common with the same finding in another version of the file. */
export interface IdentifiedFinding {
  readonly finding: RuleFileFinding;
  /** As `identities` of lint tells; absent for a mistake, which no valid version has. */
  readonly identity?: string;
}

/** As `checkRuleFile`, with the identity of each finding of lint. */
export function identifiedFindings(
  text: string,
  path: string,
  options?: LintOptions,
): IdentifiedFinding[] {
  const others = findingsOfRules(text, path, options);
  const secrets = secretsIn(text);
  if (secrets.length === 0) return others;
  // The frames of other findings may show the line of a secret.
  const masked = others.map(({ finding, ...rest }) => ({
    ...rest,
    finding: {
      ...finding,
      message: maskSecrets(finding.message),
      frame: maskSecrets(finding.frame),
    },
  }));
  return [...secrets.map((finding) => ({ finding })), ...masked].sort(
    (a, b) =>
      a.finding.line - b.finding.line || a.finding.column - b.finding.column,
  );
}

/** Texts that look like secrets: in expressions, tests, names and comments. */
function secretsIn(text: string): RuleFileFinding[] {
  const shown = showableText(text);
  return findSecrets(shown).map(({ what, offset }) => {
    const before = shown.slice(0, offset).split("\n");
    const line = before.length;
    const column = [...(before.at(-1) ?? "")].length + 1;
    const content = maskSecrets(shown.split("\n")[line - 1] ?? "").trimEnd();
    return {
      code: "literal-secret",
      severity: "error",
      line,
      column,
      message: `this looks like ${what}: whoever can read the file can use it`,
      fix: "take it out, and have its owner replace it: it stays in the history of the repository. A rule can compare what is no secret, such as the name of a header",
      frame: `${String(line)} | ${content.slice(0, LONGEST_LINE)}`,
    };
  });
}

/** Characters of a line that a finding shows. */
const LONGEST_LINE = 70;

function findingsOfRules(
  text: string,
  path: string,
  options?: LintOptions,
): IdentifiedFinding[] {
  try {
    return findingsIn(openRuleFile(text, path), options);
  } catch (error) {
    if (!(error instanceof RuleFileError)) throw error;
    return error.problems.map((problem) => ({
      finding: {
        ...problem,
        code: "invalid-file",
        severity: "error",
        frame: codeFrame(showableText(text), {
          ...problem,
          offset: 0,
          length: 1,
        }),
      },
    }));
  }
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
        rule: rule.name,
        fix: fixOfComment(file, index),
        ...placed(file, index, problem.message, problem),
      },
    })),
  );
  const identityOf = identities(set);
  const lints = lintSet(set).map((found) => {
    const { index, span, ...finding } = found;
    const place = placed(file, index, finding.message, span);
    return {
      finding: { ...finding, ...place },
      identity: identityOf(found),
    };
  });
  return [...mistakes, ...lints].sort(
    ({ finding: a }, { finding: b }) => a.line - b.line || a.column - b.column,
  );
}

/** What to do where YAML took the end of an expression for a comment, as of `any(list, # == 'a')`. */
function fixOfComment(
  { document, rules }: RuleFile,
  index: number,
): string | undefined {
  const node = document.getIn(["rules", index, "expression"], true);
  if (!isScalar(node) || !node.comment) return undefined;
  const [comment = ""] = node.comment.split("\n");
  return checkExpression(`${rules[index]?.expression} #${comment}`).ok
    ? "put it in quotes or in a block: in YAML, # behind a blank begins a comment"
    : undefined;
}

let lastText = "";
let lastShown = "";

/** A file's text as it can be shown. That of the last file is kept for its other findings. */
function shownText(text: string): string {
  if (text !== lastText) {
    lastText = text;
    lastShown = showableText(text);
  }
  return lastShown;
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
  const place = placeInExpression(index, span.offset);
  const { line, column, exact } = place;
  // The shown text may lack the byte order mark.
  const shown = shownText(text);
  // In folded or escaped text the frame shows the expression as it reads.
  const frame = exact
    ? codeFrame(shown, {
        ...span,
        ...place,
        offset: place.offset - (text.length - shown.length),
        message,
      })
    : codeFrame(expression, problemAt(expression, span, message));
  if (!exact) return { line, column, message, frame };
  const part = expression.slice(span.offset, span.offset + span.length);
  const last = [...part].at(-1) ?? "";
  const lastAt = span.offset + Math.max(0, part.length - last.length);
  const before = placeInExpression(index, lastAt);
  const end = {
    line: before.line,
    column: before.column + (last === "" ? 0 : 1),
  };
  return { line, column, end, message, frame };
}
