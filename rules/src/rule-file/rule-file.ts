import { issueMessage } from "@devid/sdk/wire";
import {
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Scalar,
} from "yaml";
import { z } from "zod";
import type { ExpressionProblem } from "../language";
import type { Rule } from "../rule-set/rule";
import { RuleFileContent } from "./rule-file-content";
import { RuleFileError, type RuleFileProblem } from "./rule-file-error";
import {
  decodeRuleFile,
  encodingMistake,
  readRuleFileBytes,
} from "./rule-file-text";
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
  /** Where a value stands, such as `["tests", 0, "expect"]`, or the nearest around it that exists. */
  readonly placeOf: (path: readonly PropertyKey[]) => FilePlace;
  /** Where a character of a rule's expression stands; both arguments from 0, the offset in UTF-16 units. */
  readonly placeInExpression: (
    ruleIndex: number,
    offset: number,
  ) => ExpressionPlace;
}

/**
 * Reads the text of a rule file, YAML or JSON; `path` is what errors call it.
 * @throws RuleFileError with the place of every mistake
 */
export function openRuleFile(text: string, path: string): RuleFile {
  const lines = new LineCounter();
  const document: Document = parseDocument(text, {
    lineCounter: lines,
    merge: true,
  });
  const place = (offset: number) => filePlace(text, lines, offset);
  const placeOf = (at: readonly PropertyKey[]) =>
    place(nodeAt(document, at)?.range?.[0] ?? 0);
  refuseUnreadable(text, path, place);
  const content = contentOf(document, path, place, placeOf);
  return {
    path,
    text,
    document,
    ...content,
    placeOf,
    placeInExpression: (ruleIndex, offset) => {
      const at = ["rules", ruleIndex, "expression"];
      const node = nodeAt(document, at);
      const found = isScalar(node)
        ? offsetInScalar(text, node, offset)
        : undefined;
      return found === undefined
        ? { ...placeOf(at), exact: false }
        : { ...place(found), exact: true };
    },
  };
}

/** Refuses a file that YAML would report as many strange mistakes. */
function refuseUnreadable(
  text: string,
  path: string,
  place: (offset: number) => FilePlace,
): void {
  const conflict = mergeConflictIn(text);
  const mistake =
    encodingMistake(text) ??
    (conflict === undefined
      ? undefined
      : {
          offset: conflict,
          message:
            "this is a merge conflict that git left open: keep what is right of both sides, and delete the lines of <<<<<<<, ======= and >>>>>>>",
        });
  if (!mistake) return;
  const { line, column } = place(mistake.offset);
  throw new RuleFileError(path, [{ line, column, message: mistake.message }]);
}

function contentOf(
  document: Document,
  path: string,
  place: (offset: number) => FilePlace,
  placeOf: (path: readonly PropertyKey[]) => FilePlace,
): z.output<typeof RuleFileContent> {
  const failure = (found: readonly (readonly [FilePlace, string])[]) =>
    new RuleFileError(
      path,
      found
        .map(([{ line, column }, message]) => ({ line, column, message }))
        .sort(inOrder),
    );
  const { errors, warnings } = document;
  if (errors.length > 0 || warnings.length > 0)
    throw failure([
      ...errors.map((e) => [place(e.pos[0]), firstLine(e.message)] as const),
      // What begins with "!" is a tag: without this, `!a && b` would read as `b`.
      ...warnings.map(
        (w) =>
          [
            place(w.pos[0]),
            `${firstLine(w.message)} A text that begins with "!" needs quotes.`,
          ] as const,
      ),
    ]);
  let content: unknown;
  try {
    content = document.toJS();
  } catch (error) {
    // An alias has no anchor, or there are far too many aliases.
    throw failure([[place(firstBadAlias(document)), (error as Error).message]]);
  }
  const result = RuleFileContent.safeParse(content, { error: issueMessage });
  if (result.success) return result.data;
  throw failure(
    result.error.issues.flatMap(mistakesOf).map(({ path, message, isName }) => {
      const where = z.core.toDotPath(path);
      const name = isName ? nameAt(document, path)?.range?.[0] : undefined;
      return [
        name === undefined ? placeOf(path) : place(name),
        where ? `${where}: ${message}` : message,
      ] as const;
    }),
  );
}

const inOrder = (a: RuleFileProblem, b: RuleFileProblem) =>
  a.line - b.line || a.column - b.column;

const firstLine = (message: string) =>
  (message.split("\n")[0] ?? message).replace(
    / at line \d+, column \d+:$/,
    ".",
  );

/** A mistake of its own for each unknown field, at its name. */
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

/** The name of the field at a path; undefined where the field comes from an alias. */
function nameAt(
  document: Document,
  path: readonly PropertyKey[],
): Node | undefined {
  const parent = document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return undefined;
  const names = parent.items.map(({ key }) => key).filter((key) => isNode(key));
  return names.find((key) => isScalar(key) && key.value === path.at(-1));
}

function firstBadAlias(document: Document): number {
  let offset = 0;
  visit(document, {
    Alias: (_, alias) => {
      offset = alias.range?.[0] ?? 0;
      return alias.resolve(document) ? undefined : visit.BREAK;
    },
  });
  return offset;
}

/** The value at a path, or the nearest that exists around it. */
function nodeAt(
  document: Document,
  path: readonly PropertyKey[],
): Node | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as
      Node | undefined;
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
  return parseRuleFile(decodeRuleFile(readRuleFileBytes(path)), path);
}

/** The rules in the text of a rule file. @throws RuleFileError */
export function parseRuleFile(text: string, path: string): readonly Rule[] {
  return openRuleFile(text, path).rules;
}

/** A mistake in the expression of a file's rule, at its place in the file. */
export function expressionProblem(
  { rules, placeInExpression }: Pick<RuleFile, "rules" | "placeInExpression">,
  ruleIndex: number,
  { offset, message }: ExpressionProblem,
): RuleFileProblem {
  const { line, column } = placeInExpression(ruleIndex, offset);
  return {
    line,
    column,
    message: `rule "${rules[ruleIndex]?.name}": ${message}`,
  };
}

/** Where something stands in a rule file. */
export interface FilePlace {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters (code points). */
  readonly column: number;
  /** In UTF-16 units from the start of the file, from 0. */
  readonly offset: number;
}

/** Where a character of a rule's expression stands in the file. */
export interface ExpressionPlace extends FilePlace {
  /** False where the file spells the expression in another way than it reads, folded or escaped: the place is then its start. */
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
  const column = [...text.slice(lineStart, offset)].length + 1;
  return { line, column, offset };
}

/**
 * Finds the offset in a file's text of a character of a scalar, both in UTF-16
 * units; `undefined` where the file spells the scalar in another way than it
 * reads, folded or escaped.
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

/** A line that git leaves where it could not merge. */
const MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?: .*)?\r?$/gm;

/** Where the first marker of a merge conflict stands, in UTF-16 units; undefined where there is none. */
export function mergeConflictIn(text: string): number | undefined {
  const offset = text.search(MARKER);
  return offset < 0 ? undefined : offset;
}

/** A text without the markers, and so with both sides of every conflict. */
export function withoutConflictMarkers(text: string): string {
  return text.replace(MARKER, "");
}
