import { isMap } from "yaml";
import type { Span } from "../language";
import { replaced, type TextEdit } from "../language/syntax/text-edit";
import { LINTS } from "../lint/lints";
import { nearest } from "../lint/set/nearest";
import { lexemesOf } from "./bounded-yaml";
import { placesOfRules, ruleListIn } from "./yaml-edits";
import type { RuleFile } from "./rule-file";

/** A comment `# devid-allow LINT: reason`. */
interface Allow extends Span {
  readonly lint: string;
  readonly reason: string;
  /**
   * The rule of the comment; absent for a comment in front of the rules, which is about
   * the file; empty for one behind the rules, which is about nothing.
   */
  readonly rule?: string;
}

/** What is wrong with a comment that allows a finding. */
export interface AllowProblem {
  readonly code: "invalid-allow" | "unused-allow";
  readonly rule?: string;
  readonly span: Span;
  readonly message: string;
  readonly fix: string;
  readonly edits?: readonly TextEdit[];
}

/**
 * Leaves out the findings that comments in the file allow. A comment `# devid-allow
 * LINT: reason` in a rule, or in the lines in front of it, is about that rule; in front
 * of the list of rules, about the whole file. Only lints can be allowed, and only with
 * a reason.
 * @param isIncomplete whether lint left out some checks of a rule, or of the file. Then
 * a comment without a finding is not reported.
 */
export function withoutAllowed<Found extends Allowable>(
  file: RuleFile,
  found: readonly Found[],
  isIncomplete: (rule: string | undefined) => boolean,
): { readonly left: readonly Found[]; readonly problems: AllowProblem[] } {
  const allows = allowsIn(file);
  const used = new Set<Allow>();
  const left = found.filter((finding) => {
    const allowing = allows.filter((allow) => isAllowed(finding, allow));
    for (const allow of allowing) used.add(allow);
    return allowing.length === 0;
  });
  const problems = allows.flatMap((allow): AllowProblem[] => {
    const { lint, reason, rule, offset, length } = allow;
    const about = { ...(rule && { rule }), span: { offset, length } };
    if (!isLint(lint))
      return [
        {
          code: "invalid-allow",
          ...about,
          message: `there is no lint ${lint}, so this comment allows nothing`,
          fix: lintToWrite(lint),
        },
      ];
    if (reason === "")
      return [
        {
          code: "invalid-allow",
          ...about,
          message: "this comment gives no reason, so it allows nothing",
          fix: `write why: # devid-allow ${lint}: partner sends sub-domains`,
        },
      ];
    if (used.has(allow) || isIncomplete(rule)) return [];
    return [
      {
        code: "unused-allow",
        ...about,
        message: `${rule === "" ? "no rule follows" : `${lint} is not found in this ${rule === undefined ? "file" : "rule"}`}, so this comment allows nothing`,
        fix: "delete the comment",
        edits: [deletionOf(file.text, allow)],
      },
    ];
  });
  return { left, problems };
}

interface Allowable {
  readonly code: string;
  readonly rule?: string;
}

const isAllowed = (
  { code, rule }: Allowable,
  { lint, reason, ...about }: Allow,
) =>
  code === lint &&
  isLint(lint) &&
  reason !== "" &&
  (about.rule === undefined || about.rule === rule);

/** Whether a code belongs to a lint. The codes of mistakes in files and expressions do not. */
export const isLint = (code: string): boolean =>
  LINTS.some((lint) => lint.code === code);

/** What to write in place of a code that no lint has. */
export function lintToWrite(code: string): string {
  const meant = nearest(
    code,
    LINTS.map((lint) => lint.code),
    MOST_WRONG,
  );
  return `write ${meant ?? "the code of a lint, as docs/lint.md lists them"}`;
}

/** The largest number of letters by which a misspelt code may differ from a lint's code. */
const MOST_WRONG = 3;

const ALLOW = /^#\s*devid-allow\s+([\w-]+)\s*:?\s*(.*?)\s*$/;

/** The comments of a file that allow findings, in their order. */
function allowsIn(file: RuleFile): Allow[] {
  const { text, document, rules } = file;
  if (!text.includes("devid-allow")) return [];
  const { contents } = document;
  const list = ruleListIn(document);
  const lists = isMap(contents)
    ? contents.items.find(({ value }) => value === list)
    : undefined;
  const key = lists?.key as { range?: readonly number[] } | undefined;
  const [firstRule = 0] = key?.range ?? [];
  const places = placesOfRules(file);
  return [...lexemesOf(text)].flatMap(({ text: comment, offset, isScalar }) => {
    const [, lint, reason = ""] = (!isScalar && ALLOW.exec(comment)) || [];
    if (lint === undefined) return [];
    const index = places.findIndex(({ lineEnd }) => offset < lineEnd);
    const rule = offset < firstRule ? undefined : (rules[index]?.name ?? "");
    return [{ lint, reason, rule, offset, length: comment.length }];
  });
}

/**
 * Deletes a comment with its line, or with the blanks in front of it if the line has
 * other text.
 */
function deletionOf(text: string, { offset, length }: Span): TextEdit {
  const lineStart = text.lastIndexOf("\n", offset) + 1;
  const before = text.slice(lineStart, offset);
  const isAlone = before.trim() === "";
  const end = offset + length;
  const lineEnd = text.startsWith("\r\n", end) ? end + 2 : end + 1;
  return isAlone
    ? replaced(lineStart, Math.min(lineEnd, text.length))
    : replaced(lineStart + before.trimEnd().length, end);
}
