import { readFileSync } from "node:fs";
import { LineCounter, parseDocument, visit, type Document } from "yaml";
import { z } from "zod";
import { DevidError } from "../http/errors";
import { issueMessage } from "../issue-message";
import { RuleName } from "../management/wire";
import { refuseEqualNames, RuleContent, type Rule } from "./rule";

/** A mistake in a rule file and its place, both from 1. */
export interface RuleFileProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A rule file cannot be read; every problem is listed as `file:line:column`. */
export class RuleFileError extends DevidError {
  override readonly name = "RuleFileError";

  constructor(
    readonly path: string,
    readonly problems: readonly RuleFileProblem[],
  ) {
    super(
      `The rule file is not valid:` +
        problems
          .map((p) => `\n  ${path}:${p.line}:${p.column} ${p.message}`)
          .join(""),
    );
  }
}

/** A rule as a file spells it: `deny_with`, as the service does. */
const FileRule = z
  .strictObject({
    name: RuleName,
    expression: RuleContent.shape.expression,
    action: RuleContent.shape.action,
    status: RuleContent.shape.status,
    deny_with: RuleContent.shape.denyWith,
  })
  .refine((rule) => rule.action === "deny" || rule.deny_with === undefined, {
    path: ["deny_with"],
    message: 'needs action "deny"',
  });

/** What a rule file holds: rules in their order of precedence, and tests of them. */
const RuleFile = z.strictObject({
  rules: z.array(FileRule).superRefine(refuseEqualNames),
  tests: z.array(z.unknown()).optional(),
});

/**
 * Reads the rules of a rule file, YAML or JSON.
 * @throws RuleFileError with the place of every mistake; Node's error when the
 * file cannot be opened
 */
export function readRuleFile(path: string): Rule[] {
  return parseRuleFile(readFileSync(path, "utf8"), path);
}

/** The rules in the text of a rule file. @throws RuleFileError */
export function parseRuleFile(text: string, path: string): Rule[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const problemAt = (offset: number, message: string): RuleFileProblem => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col), message };
  };
  if (document.errors.length > 0)
    throw new RuleFileError(
      path,
      document.errors.map((error) =>
        problemAt(error.pos[0], error.message.split("\n")[0] ?? error.message),
      ),
    );
  let content: unknown;
  try {
    content = document.toJS();
  } catch (error) {
    // An alias without its anchor, or far too many of them.
    throw new RuleFileError(path, [
      problemAt(firstBadAlias(document), (error as Error).message),
    ]);
  }
  const result = RuleFile.safeParse(content, { error: issueMessage });
  if (result.success)
    return result.data.rules.map(({ deny_with: denyWith, ...rule }) => ({
      ...rule,
      denyWith,
    }));
  throw new RuleFileError(
    path,
    result.error.issues
      .flatMap(mistakesOf)
      .map(({ path, message }) => {
        const where = z.core.toDotPath(path);
        return problemAt(
          offsetOf(document, path),
          where ? `${where}: ${message}` : message,
        );
      })
      .sort((a, b) => a.line - b.line || a.column - b.column),
  );
}

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

/** Where the value of a path stands, or the nearest that exists around it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true) as
      { range?: [number, number, number] } | undefined;
    if (node?.range) return node.range[0];
  }
  return 0;
}
