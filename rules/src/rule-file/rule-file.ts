import { isUtf8 } from "node:buffer";
import { issueMessage } from "@devid/sdk/wire/filtering-rules";
import {
  isMap,
  isNode,
  isScalar,
  LineCounter,
  visit,
  type Document,
  type Node,
  type Scalar,
} from "yaml";
import { z } from "zod";
import {
  checkExpression,
  type ExpressionProblem,
  type Span,
} from "../language";
import { problemAt, type Place } from "../language/syntax/problem";
import { lengthOf } from "../language/text/text";
import type { Severity } from "../lint/set/lint";
import type { Rule } from "../rule-set/rule";
import { RuleFileContent } from "./rule-file-content";
import { RuleFileError, type RuleFileProblem } from "./rule-file-error";
import { LARGEST_FILE, readProjectFile } from "../project-file";
import { parseYaml, YamlLimitError } from "./bounded-yaml";
import { unquotedExpressions } from "./unquoted-expressions";
import type { RuleTest } from "./rule-test";

/** A rule file that was read without a mistake; the expressions of its rules are not checked. */
export interface RuleFile {
  readonly path: string;
  readonly text: string;
  /** The YAML of the text, with the place of every node. */
  readonly document: Document;
  readonly rules: readonly Rule[];
  readonly tests: readonly RuleTest[];
  /** Canonical names of the headers that the file says no client ever sends. */
  readonly assumeNotSent: readonly string[];
  /** Severities by the code of a lint, which the file gives in place of its own. */
  readonly lint: Readonly<Record<string, Severity | "off">>;
  /**
   * The place of the value at a path, such as `["tests", 0, "expect"]`. If the file
   * lacks the value, the place of the nearest value around it.
   */
  readonly placeOf: (path: readonly PropertyKey[]) => FileStretch;
  /** The place of a span of the text. */
  readonly stretchAt: (span: Span) => FileStretch;
  /** Where a part of a rule's expression stands; the index from 0, the span in UTF-16 units of the expression. */
  readonly placeInExpression: (
    ruleIndex: number,
    span: Span,
  ) => ExpressionPlace;
}

/**
 * Reads the text of a rule file, YAML or JSON; errors name the file by `path`.
 * @throws RuleFileError with the place of every mistake, those in expressions included.
 * A file whose only mistakes are in expressions is read without an error;
 * `mistakesInExpressions` has them.
 */
export function openRuleFile(text: string, path: string): RuleFile {
  const { document, lines } = documentOf(text, path);
  const place: PlaceOfPart = (from, to) => {
    const { line, column } = filePlace(text, lines, Math.max(from, to));
    return { ...filePlace(text, lines, from), end: { line, column } };
  };
  const stretchAt = ({ offset, length }: Span) =>
    place(offset, offset + length);
  const placeOf = (at: readonly PropertyKey[]) => {
    const [from, to] = nodeAt(document, at)?.range ?? [0, 0];
    // A block goes on to the beginning of what follows it.
    return place(from, from + text.slice(from, to).trimEnd().length);
  };
  const placeInExpression = (
    ruleIndex: number,
    { offset, length }: Span,
  ): ExpressionPlace => {
    const at = ["rules", ruleIndex, "expression"];
    const node = nodeAt(document, at);
    if (isScalar(node)) {
      const from = offsetInScalar(text, node, offset);
      const to = offsetInScalar(text, node, offset + length);
      if (from !== undefined && to !== undefined)
        return { ...place(from, to), exact: true };
    }
    return { ...placeOf(at), exact: false };
  };
  refuseUnreadable(text, path, place);
  const content = contentOf(text, document, path, place, placeOf, (found) =>
    mistakesIn(rulesIn(found), placeInExpression),
  );
  return {
    ...{ path, text, document, ...content },
    ...{ placeOf, stretchAt, placeInExpression },
  };
}

function documentOf(text: string, path: string) {
  const lines = new LineCounter();
  const refusal = (span: Span, message: string) =>
    new RuleFileError(path, [
      problemOf(problemAt(text, span, message), message),
    ]);
  if (text.length > LARGEST_FILE)
    throw refusal(
      { offset: 0, length: 0 },
      `the file has ${text.length} characters, and ${LARGEST_FILE} at most are allowed`,
    );
  try {
    const options = { lineCounter: lines, merge: true };
    return { document: parseYaml(text, options), lines };
  } catch (error) {
    if (!(error instanceof YamlLimitError)) throw error;
    throw refusal(error.span, error.message);
  }
}

/** Every mistake in the expressions of a file's rules, at its place in the file. */
export const mistakesInExpressions = ({
  rules,
  placeInExpression,
}: RuleFile): RuleFileProblem[] => mistakesIn(rules, placeInExpression);

function mistakesIn(
  rules: readonly Partial<Rule>[],
  placeInExpression: RuleFile["placeInExpression"],
): RuleFileProblem[] {
  return rules.flatMap((rule, index) => {
    const { expression } = rule;
    if (typeof expression !== "string" || expression.trim() === "") return [];
    const checked = checkExpression(expression);
    if (checked.ok) return [];
    return checked.problems.map((problem) =>
      problemInRule(rule, placeInExpression(index, problem), problem),
    );
  });
}

/** The rules of a file with other mistakes. Any of their fields may be missing. */
function rulesIn(content: unknown): Partial<Rule>[] {
  const { rules } = (content ?? {}) as { readonly rules?: unknown };
  return Array.isArray(rules)
    ? rules.map((rule: unknown) => (rule ?? {}) as Partial<Rule>)
    : [];
}

const problemInRule = (
  { name }: Partial<Rule>,
  place: FileStretch,
  { message }: ExpressionProblem,
): RuleFileProblem => ({
  ...problemOf(place, message),
  rule: String(name ?? "without a name"),
});

/** Stands for bytes that are not UTF-8. No text in UTF-8 has half a surrogate pair. */
export const NOT_UTF8 = "\udcff";

/**
 * The text of a rule file's bytes. If they are not UTF-8, `openRuleFile` shows the place
 * of the first that are not.
 */
export function decodeRuleFile(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString();
  return isUtf8(bytes) ? text : text.replaceAll("\ufffd", NOT_UTF8);
}

/** Refuses a file for which YAML would report many confusing mistakes. */
function refuseUnreadable(
  text: string,
  path: string,
  place: PlaceOfPart,
): void {
  const refused = [
    [
      new RegExp(`${NOT_UTF8}+`),
      `this is not UTF-8${text.startsWith(NOT_UTF8 + NOT_UTF8) ? ", but may be UTF-16" : ""}; save the file as UTF-8`,
    ],
    [
      MARKER,
      "this is a merge conflict that git left open: keep what is right of both sides, and delete the lines of <<<<<<<, ======= and >>>>>>>",
    ],
  ] as const;
  for (const [pattern, message] of refused) {
    const [found] = text.matchAll(new RegExp(pattern, "gm"));
    if (!found) continue;
    const where = place(found.index, found.index + found[0].length);
    throw new RuleFileError(path, [problemOf(where, message)]);
  }
}

function contentOf(
  text: string,
  document: Document,
  path: string,
  place: PlaceOfPart,
  placeOf: RuleFile["placeOf"],
  mistakesBesides: (content: unknown) => readonly RuleFileProblem[],
): z.output<typeof RuleFileContent> {
  const failure = (
    found: readonly (readonly [FileStretch, string])[],
    more: readonly RuleFileProblem[] = [],
  ) =>
    new RuleFileError(
      path,
      found
        .map(([where, message]) => problemOf(where, message))
        .concat(more)
        .sort(inOrder),
    );
  const { errors, warnings } = document;
  const isRead = errors.length + warnings.length === 0;
  const unquoted = isRead ? [] : unquotedExpressions(text);
  if (unquoted.length > 0)
    throw failure(
      unquoted.map(({ offset, length }) => [
        place(offset, offset + length),
        "YAML cannot read this expression: write it in double quotes or in a block (|-), as devid rules fmt does",
      ]),
    );
  if (!isRead)
    throw failure([
      ...errors.map((e) => [place(...e.pos), firstLine(e.message)] as const),
      // What begins with "!" is a tag: without this, `!a && b` would read as `b`.
      ...warnings.map(
        (w) =>
          [
            place(...w.pos),
            `${firstLine(w.message)} A text that begins with "!" needs quotes.`,
          ] as const,
      ),
    ]);
  let content: unknown;
  try {
    content = document.toJS();
  } catch (error) {
    // An alias has no anchor, or there are far too many aliases.
    throw failure([
      [place(...firstBadAlias(document)), (error as Error).message],
    ]);
  }
  const result = RuleFileContent.safeParse(content, { error: issueMessage });
  if (result.success) return result.data;
  throw failure(
    result.error.issues.flatMap(mistakesOf).map(({ path, message, isName }) => {
      const where = z.core.toDotPath(path);
      const name = isName ? nameAt(document, path)?.range : undefined;
      return [
        name ? place(name[0], name[1]) : placeOf(path),
        where ? `${where}: ${message}` : message,
      ] as const;
    }),
    mistakesBesides(content),
  );
}

const inOrder = (a: RuleFileProblem, b: RuleFileProblem) =>
  a.line - b.line || a.column - b.column;

const firstLine = (message: string) =>
  (message.split("\n")[0] ?? message).replace(
    / at line \d+, column \d+:$/,
    ".",
  );

/** One mistake for each unknown field, at the name of the field. */
function mistakesOf(issue: z.core.$ZodIssue) {
  const { path, message } = issue;
  return issue.code === "unrecognized_keys"
    ? issue.keys.map((key) => ({
        path: [...path, key],
        message: `is not known${spelledOtherwise(key)}`,
        isName: true,
      }))
    : [{ path, message, isName: false }];
}

/** The fields of a rule file that are often spelled as in a program. */
const OWN_SPELLING: Readonly<Record<string, string>> = {
  denyWith: "deny_with",
  "deny-with": "deny_with",
};

function spelledOtherwise(key: string): string {
  const own = OWN_SPELLING[key];
  return own === undefined ? "" : `; did you mean ${own}?`;
}

/** The name of the field at a path; undefined if the field comes from an alias. */
function nameAt(
  document: Document,
  path: readonly PropertyKey[],
): Node | undefined {
  const parent = document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return undefined;
  const names = parent.items.map(({ key }) => key).filter((key) => isNode(key));
  return names.find((key) => isScalar(key) && key.value === path.at(-1));
}

function firstBadAlias(document: Document): [from: number, to: number] {
  let found: [number, number] = [0, 0];
  visit(document, {
    Alias: (_, alias) => {
      const [from, to] = alias.range ?? found;
      found = [from, to];
      return alias.resolve(document) ? undefined : visit.BREAK;
    },
  });
  return found;
}

/** The value at a path, or the nearest that exists around it. */
function nodeAt(
  document: Document,
  path: readonly PropertyKey[],
): Node | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as
      | Node
      | undefined;
    if (node?.range) return node;
  }
  return undefined;
}

/**
 * Reads the rules of a rule file, YAML or JSON.
 * @throws RuleFileError with the place of every mistake; Node's error when the
 * file cannot be opened
 */
export function readRuleFile(path: string): readonly Rule[] {
  return parseRuleFile(decodeRuleFile(readProjectFile(path)), path);
}

/** The rules in the text of a rule file. @throws RuleFileError */
export function parseRuleFile(text: string, path: string): readonly Rule[] {
  return openRuleFile(text, path).rules;
}

/** A mistake in the expression of a file's rule, at its place in the file. */
export function expressionProblem(
  { rules, placeInExpression }: Pick<RuleFile, "rules" | "placeInExpression">,
  ruleIndex: number,
  problem: ExpressionProblem,
): RuleFileProblem {
  return problemInRule(
    rules[ruleIndex] ?? {},
    placeInExpression(ruleIndex, problem),
    problem,
  );
}

const problemOf = (
  { line, column, end }: Omit<FileStretch, "offset">,
  message: string,
): RuleFileProblem => ({ line, column, end, message });

/** Where something stands in a rule file. */
export interface FilePlace {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters (code points). */
  readonly column: number;
  /** In UTF-16 units from the start of the file, from 0. */
  readonly offset: number;
}

/** Where a part of a rule file begins and ends. */
export interface FileStretch extends FilePlace {
  /** Behind its last character. */
  readonly end: Place;
}

/** The place of what stands from one offset of the file to another. */
type PlaceOfPart = (from: number, to: number) => FileStretch;

/** Where a part of a rule's expression stands in the file. */
export interface ExpressionPlace extends FileStretch {
  /**
   * False if the expression is folded or escaped in the file. The place is then the
   * whole expression.
   */
  readonly exact: boolean;
}

/** The place of an offset in the text that `lines` has counted. */
export function filePlace(
  text: string,
  lines: LineCounter,
  offset: number,
): FilePlace {
  // An empty file has no counted line.
  const line = Math.max(1, lines.linePos(offset).line);
  const isMarked = line === 1 && text.startsWith("\ufeff");
  const lineStart = isMarked ? 1 : (lines.lineStarts[line - 1] ?? 0);
  const column = lengthOf(text.slice(lineStart, offset)) + 1;
  return { line, column, offset };
}

/**
 * Finds the offset in a file's text of a character of a scalar, both in UTF-16 units;
 * `undefined` if the scalar is folded or escaped in the file.
 */
export function offsetInScalar(
  text: string,
  { range, value, type }: Scalar,
  offset: number,
): number | undefined {
  const [start = 0, end = 0] = range ?? [];
  const source = text.slice(start, end);
  if (source === String(value)) return start + offset;
  if (source.slice(1, -1) === value) return start + 1 + offset;
  if (type !== "BLOCK_LITERAL") return undefined;

  // After its header, a block holds the lines of the value, each with an indent.
  const before = String(value).slice(0, offset).split("\n");
  const line = before.length - 1;
  const spelt = source.split("\n").slice(1);
  const read = String(value).split("\n")[line] ?? "";
  const indent = (spelt[line]?.replace(/\r$/, "").length ?? 0) - read.length;
  const lineStart = spelt
    .slice(0, line)
    .reduce((at, { length }) => at + length + 1, source.indexOf("\n") + 1);
  return start + lineStart + indent + (before[line]?.length ?? 0);
}

/** A marker line that git writes into a file with a merge conflict. */
const MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?: .*)?$/gm;

/** A text without the markers, and so with both sides of every conflict. */
export const withoutConflictMarkers = (text: string): string =>
  text.replace(MARKER, "");
