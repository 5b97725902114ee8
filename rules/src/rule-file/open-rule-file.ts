import {
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
} from "yaml";
import { z } from "zod";
import { issueMessage } from "@devid/sdk/wire";
import type { Rule } from "../rule-set/rule";
import { filePlace, type ExpressionPlace, type FilePlace } from "./file-place";
import { mergeConflictIn } from "./merge-conflict";
import { offsetInScalar } from "./offset-in-scalar";
import { RuleFileContent } from "./rule-file-content";
import { RuleFileError, type RuleFileProblem } from "./rule-file-error";
import { encodingMistake } from "./rule-file-text";
import type { RuleTest } from "./rule-test";

/** A rule file that was read without a mistake; the expressions of its rules are not checked. */
export interface RuleFile {
  readonly path: string;
  readonly text: string;
  /** The YAML of the text, with the place of every node. */
  readonly document: Document;
  readonly rules: readonly Rule[];
  readonly tests: readonly RuleTest[];
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
  const { rules, tests } = contentOf(document, path, place, placeOf);
  return {
    path,
    text,
    document,
    rules,
    tests,
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

/** Says once what would be many riddles of YAML. */
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
    // An alias without its anchor, or far too many of them.
    throw failure([[place(firstBadAlias(document)), (error as Error).message]]);
  }
  const result = RuleFileContent.safeParse(content, { error: issueMessage });
  if (result.success) return result.data;
  throw failure(
    result.error.issues.flatMap(mistakesOf).map(({ path, message }) => {
      const where = z.core.toDotPath(path);
      return [placeOf(path), where ? `${where}: ${message}` : message] as const;
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

/** One for each unknown field, so that each has its own place. */
function mistakesOf(issue: z.core.$ZodIssue) {
  const { path, message } = issue;
  return issue.code === "unrecognized_keys"
    ? issue.keys.map((key) => ({
        path: [...path, key],
        message: "is not known",
      }))
    : [{ path, message }];
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
