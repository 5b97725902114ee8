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
import { allKnown } from "../all-known";
import {
  checkExpression,
  type ExpressionProblem,
  type Span,
} from "../language";
import { inOrder, type Place, type Stretch } from "../language/syntax/problem";
import { lengthOf } from "../language/text/text";
import type { Severity } from "../lint/set/lint";
import { nearest } from "../lint/set/nearest";
import type { Rule } from "../rule-set/rule";
import { FIELD_NAMES, RuleFileContent } from "./rule-file-content";
import { RuleFileError, type RuleFileProblem } from "./rule-file-error";
import { LARGEST_FILE, readProjectFile } from "../project-file";
import { parseYaml, YamlLimitError } from "./bounded-yaml";
import {
  mistakesOfText,
  NOT_UTF8,
  spanOf,
  type TextMistake,
} from "./text-mistakes";
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
  readonly placeOf: (path: readonly PropertyKey[]) => FilePlace;
  /** The place of a span of the text. */
  readonly stretchAt: (span: Span) => FilePlace;
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
  const { file, problems } = openLeniently(text, path);
  if (!file || problems.length > 0) throw new RuleFileError(path, problems);
  return file;
}

/**
 * Reads the text of a rule file whose expressions have no mistakes either.
 * @throws RuleFileError with the place of every mistake
 */
export function openCheckedRuleFile(text: string, path: string): RuleFile {
  const file = openRuleFile(text, path);
  const problems = mistakesInExpressions(file);
  if (problems.length > 0) throw new RuleFileError(path, problems);
  return file;
}

/**
 * Reads the text of a rule file that may have mistakes. Without a mistake outside of
 * expressions, there are no problems; otherwise they are those of `openRuleFile`, and the
 * file lacks the fields with a mistake. It is absent if a rule cannot be read without them.
 */
export function openLeniently(
  text: string,
  path: string,
): {
  readonly file?: RuleFile;
  readonly problems: readonly RuleFileProblem[];
} {
  const lines = new LineCounter();
  // The parser would leave out line breaks in texts with a mistake.
  lines.addNewLine(0);
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1);
  const place = (offset: number): Place => {
    // An empty file has no counted line.
    const line = Math.max(1, lines.linePos(offset).line);
    const isMarked = line === 1 && text.startsWith("\ufeff");
    const lineStart = isMarked ? 1 : (lines.lineStarts[line - 1] ?? 0);
    return { line, column: lengthOf(text.slice(lineStart, offset)) + 1 };
  };
  const stretchAt = ({ offset, length }: Span): FilePlace => ({
    ...{ ...place(offset), offset, end: place(offset + length) },
  });
  const refused = (...found: TextMistake[]) => {
    const problems = found.map(([span, said]) =>
      problemOf(stretchAt(span), said),
    );
    return { problems: problems.sort(inOrder) };
  };
  let document: Document;
  try {
    document = documentOf(text);
  } catch (error) {
    if (!(error instanceof YamlLimitError)) throw error;
    return refused([error.span, error.message]);
  }
  const mistakes = mistakesOfText(text, document);
  if (mistakes.length > 0) return refused(...mistakes);
  let content: unknown;
  try {
    content = document.toJS();
  } catch (error) {
    // An alias has no anchor, or there are far too many aliases.
    return refused([spanOf(firstBadAlias(document)), (error as Error).message]);
  }
  const placeOf = (at: readonly PropertyKey[]) => {
    const { offset, length } = spanOf(nodeAt(document, at)?.range ?? []);
    // A block goes on to the beginning of what follows it.
    const written = text.slice(offset, offset + length).trimEnd();
    return stretchAt({ offset, length: written.length });
  };
  const placeInExpression = (
    ruleIndex: number,
    { offset, length }: Span,
  ): ExpressionPlace => {
    const at = ["rules", ruleIndex, "expression"];
    const node = nodeAt(document, at);
    const ends = [offset, offset + length].map((each) =>
      isScalar(node) ? offsetInScalar(text, node, each) : undefined,
    );
    const known = allKnown(ends);
    return known
      ? { ...stretchAt(spanOf(known)), exact: true }
      : { ...placeOf(at), exact: false };
  };
  const opened = (read: z.output<typeof RuleFileContent>): RuleFile => ({
    ...{ path, text, document, ...read },
    ...{ placeOf, stretchAt, placeInExpression },
  });
  const result = RuleFileContent.safeParse(content, { error: issueMessage });
  if (result.success) return { file: opened(result.data), problems: [] };

  const { issues } = result.error;
  const unquoted = unquotedValues(document, issues);
  const found = issues.flatMap((issue, index) =>
    mistakesOf(issue).flatMap(({ path: at, message, isName }) => {
      const where = z.core.toDotPath(at);
      const said = where ? `${where}: ${message}` : message;
      const values = unquoted[index] ?? [];
      if (values.length > 0)
        return values.map(({ range, source }) =>
          problemOf(
            stretchAt(spanOf(range ?? [])),
            `${said}; write it in quotes: "${source}"`,
          ),
        );
      const name = isName ? nameAt(document, at)?.range : undefined;
      return problemOf(name ? stretchAt(spanOf(name)) : placeOf(at), said);
    }),
  );
  const more = mistakesInExpressions({
    ...{ rules: rulesIn(content), placeInExpression },
  });
  const { data } = RuleFileContent.safeParse(withoutMistakes(content, issues));
  return {
    problems: [...found, ...more].sort(inOrder),
    ...(data && { file: opened(data) }),
  };
}

/** Takes the fields of rules and the other parts of a file that have a mistake out of its content. */
function withoutMistakes(
  content: unknown,
  issues: readonly z.core.$ZodIssue[],
): unknown {
  for (const { path } of issues.flatMap(mistakesOf)) {
    const isOfRule = path[0] === "rules";
    const owner = isOfRule ? rulesIn(content)[Number(path[1])] : content;
    const field = isOfRule ? path[2] : path[0];
    if (field !== undefined && typeof owner === "object" && owner)
      Reflect.deleteProperty(owner, field);
  }
  return content;
}

/** @throws YamlLimitError, also for a text that is too long */
function documentOf(text: string): Document {
  if (text.length > LARGEST_FILE)
    throw new YamlLimitError(
      `the file has ${text.length} characters, and ${LARGEST_FILE} at most are allowed`,
      { offset: 0, length: 0 },
    );
  return parseYaml(text, { merge: true });
}

/** Every mistake in the expressions of a file's rules, at its place in the file. */
export function mistakesInExpressions({
  rules,
  placeInExpression,
}: {
  readonly rules: readonly Partial<Rule>[];
  readonly placeInExpression: RuleFile["placeInExpression"];
}): RuleFileProblem[] {
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
  place: FilePlace,
  { message }: ExpressionProblem,
): RuleFileProblem => ({
  ...problemOf(place, message),
  rule: String(name ?? "without a name"),
});

/**
 * The text of a rule file's bytes. If they are not UTF-8, `openRuleFile` shows the place
 * of the first that are not.
 */
export function decodeRuleFile(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString();
  return isUtf8(bytes) ? text : text.replaceAll("\ufffd", NOT_UTF8);
}

/** One mistake for each unknown field, at the name of the field. */
function mistakesOf(issue: z.core.$ZodIssue) {
  const { path, message } = issue;
  return issue.code === "unrecognized_keys"
    ? issue.keys.map((key) => ({
        path: [...path, key],
        message: `is not known${spelledOtherwise(key, path)}`,
        isName: true,
      }))
    : [{ path, message, isName: false }];
}

function spelledOtherwise(key: string, path: readonly PropertyKey[]): string {
  const list = path.findLast((part) => typeof part === "string") ?? "";
  const most = Math.min(2, Math.floor(key.length / 2));
  const meant = nearest(key, FIELD_NAMES[list] ?? [], most);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

/**
 * For each issue, the values that YAML reads as a number, a boolean or nothing, if they
 * would be right in quotes. The values of the document are changed.
 */
function unquotedValues(
  document: Document,
  issues: readonly z.core.$ZodIssue[],
): readonly (readonly Scalar[])[] {
  const found = issues.map(({ path }) => {
    const values: Scalar[] = [];
    const node = document.getIn(path, true);
    if (isNode(node) && path.at(-1) !== "expression")
      visit(node, {
        Scalar(key, scalar) {
          if (key === "key" || typeof scalar.value === "string") return;
          if (scalar.source) values.push(scalar);
        },
      });
    return values;
  });
  if (found.every(({ length }) => length === 0)) return found;
  for (const value of found.flat()) value.value = value.source;
  const { error } = RuleFileContent.safeParse(document.toJS());
  const left = new Set(error?.issues.map(({ path }) => JSON.stringify(path)));
  return found.map((values, index) =>
    left.has(JSON.stringify(issues[index]?.path)) ? [] : values,
  );
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
  { line, column, end }: Stretch,
  message: string,
): RuleFileProblem => ({ line, column, end, message });

/** Where a part of a rule file stands. */
export interface FilePlace extends Stretch {
  /** In UTF-16 units from the start of the file, from 0. */
  readonly offset: number;
}

/** Where a part of a rule's expression stands in the file. */
export interface ExpressionPlace extends FilePlace {
  /**
   * False if the expression is folded or escaped in the file. The place is then the
   * whole expression.
   */
  readonly exact: boolean;
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
