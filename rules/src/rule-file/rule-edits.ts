import { applyEdits, type TextEdit } from "../language/syntax/text-edit";
import type { AddedRule, RuleEdit } from "../lint/set/lint";
import {
  expressionScalar,
  lineBreakOf,
  readsAsEdited,
  replaceExpression,
  ruleListIn,
} from "./expression-scalar";
import { offsetInScalar, type RuleFile } from "./rule-file";
import { isAlias, isMap, isNode, visit, type Document } from "yaml";

/**
 * The edits of a rule file's text for a fix of lint. Undefined if they are not
 * possible, because a test names the deleted rule, the expression is an alias, or an anchor
 * would go away or come behind its alias.
 */
export function editsInFile(
  { text, document, rules, tests }: RuleFile,
  ruleIndex: number,
  edits: readonly RuleEdit[],
): readonly TextEdit[] | undefined {
  const { name, expression = "" } = rules[ruleIndex] ?? {};
  for (const edit of edits)
    switch (edit.kind) {
      case "delete":
        return tests.some(({ expect }) => expect.rule === name) ||
          hasAnchor(document, ruleIndex)
          ? undefined
          : deletion(text, document, ruleIndex);
      case "move":
        return hasAnchor(document, ruleIndex, "or an alias")
          ? undefined
          : move(text, document, ruleIndex, edit.to);
      case "add":
        return addition(text, document, edit.rule);
      case "replace":
    }
  const replaced = edits.filter((edit) => edit.kind === "replace");
  const whole = applyEdits(expression, replaced);
  const found = expressionScalar(document, ruleIndex);
  if (!found) return undefined;
  const placed = replaced.flatMap((edit) => {
    const end = edit.offset + edit.length;
    const [from, to] = [edit.offset, end].map((offset) =>
      offsetInScalar(text, found.scalar, offset),
    );
    return from === undefined || to === undefined
      ? []
      : [{ offset: from, length: to - from, text: edit.text }];
  });
  const isPlaced = placed.length === replaced.length;
  return isPlaced && readsAsEdited(text, found, placed, whole)
    ? placed
    : replaceExpression(text, document, ruleIndex, whole);
}

/** Whether a rule declares an anchor, which another rule may use; with `or an alias`, also whether it uses one. */
function hasAnchor(
  document: Document,
  ruleIndex: number,
  also?: "or an alias",
): boolean {
  const item = ruleListIn(document)?.items[ruleIndex];
  let found = false;
  if (isNode(item))
    visit(item, (_, node) => {
      if (isAlias(node) ? also : isNode(node) && node.anchor) found = true;
    });
  return found;
}

/** The lines of a rule in a list of blocks, with the lines of the comments right in front of it. */
interface RuleLines {
  readonly comments: number;
  readonly start: number;
  /** Behind the last line break, or at the end of a file without one. */
  readonly end: number;
}

/** The lines of a rule; undefined if these lines have other text, too. */
function linesOf(
  text: string,
  items: readonly unknown[],
  index: number,
): RuleLines | undefined {
  const [from, to] = rangeOf(items[index]) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const dash = text.lastIndexOf("-", from - 1);
  const start = text.lastIndexOf("\n", dash) + 1;
  if (!/^[ ]*-\s*$/.test(text.slice(start, from))) return undefined;
  const lastLine = text.slice(0, to).trimEnd().length;
  const lineEnd = text.indexOf("\n", lastLine);
  const end = lineEnd < 0 ? text.length : lineEnd + 1;
  const indent = dash - start;
  const [, before = 0] = rangeOf(items[index - 1]) ?? [];
  // Only the comments right in front of the rule: an empty line ends them.
  const own = new RegExp(`(?:(?<=^|\\n) {${indent}}#[^\\n]*\\n)+$`);
  const comments = own.exec(text.slice(before, start))?.[0].length ?? 0;
  return { comments: start - comments, start, end };
}

/** The edit that deletes a rule; comments in front of it stay. Undefined for the only rule. */
function deletion(
  text: string,
  document: Document,
  ruleIndex: number,
): TextEdit[] | undefined {
  const rules = ruleListIn(document);
  if (!rules || rules.items.length < 2) return undefined;
  if (rules.flow) {
    const [start, end] = rangeOf(rules.items[ruleIndex]) ?? [];
    if (start === undefined || end === undefined) return undefined;
    const next = rangeOf(rules.items[ruleIndex + 1]);
    const before = rangeOf(rules.items[ruleIndex - 1]);
    if (next) return [{ offset: start, length: next[0] - start, text: "" }];
    return before && [{ offset: before[1], length: end - before[1], text: "" }];
  }
  const lines = linesOf(text, rules.items, ruleIndex);
  if (!lines) return undefined;
  const { start: offset, end } = lines;
  // A comment that allows a finding of this rule would then apply to the next rule.
  const [, frontEnd = 0] = rangeOf(rules.items[ruleIndex - 1]) ?? [];
  if (text.slice(frontEnd, offset).includes("devid-allow")) return undefined;
  // Empty lines behind the rule are deleted, too.
  const empty = /^(?:[ ]*\r?\n)*/.exec(text.slice(end))?.[0].length ?? 0;
  return [{ offset, length: end + empty - offset, text: "" }];
}

/**
 * The edits that move a rule with its comments in front of the rule at an index, or to
 * the end.
 */
function move(
  text: string,
  document: Document,
  ruleIndex: number,
  to: number,
): TextEdit[] | undefined {
  const rules = ruleListIn(document);
  if (!rules) return undefined;
  if (rules.flow) {
    const range = rangeOf(rules.items[ruleIndex]);
    const gone = deletion(text, document, ruleIndex);
    if (!range || !gone) return undefined;
    const [start, end] = range;
    const moved = inserted(text, document, to, text.slice(start, end));
    return moved && [...gone, moved];
  }
  const lines = linesOf(text, rules.items, ruleIndex);
  if (!lines) return undefined;
  const { comments: offset, end } = lines;
  const moved = inserted(text, document, to, text.slice(offset, end));
  return moved && [moved, { offset, length: end - offset, text: "" }];
}

/**
 * The edit that inserts the text of a rule in front of the rule at an index, or at the
 * end.
 */
function inserted(
  text: string,
  document: Document,
  to: number,
  rule: string,
): TextEdit | undefined {
  const rules = ruleListIn(document);
  const count = rules?.items.length ?? 0;
  if (!rules || count === 0) return undefined;
  const isLast = to >= count;
  if (rules.flow) {
    const [start, end] = rangeOf(rules.items[isLast ? count - 1 : to]) ?? [];
    if (start === undefined || end === undefined) return undefined;
    return isLast
      ? { offset: end, length: 0, text: `, ${rule}` }
      : { offset: start, length: 0, text: `${rule}, ` };
  }
  const lines = linesOf(text, rules.items, isLast ? count - 1 : to);
  if (!lines) return undefined;
  const lineBreak = lineBreakOf(text);
  const whole = rule.endsWith("\n") ? rule : rule + lineBreak;
  const offset = isLast ? lines.end : lines.comments;
  const isAtEnd = offset > 0 && text[offset - 1] !== "\n";
  return { offset, length: 0, text: isAtEnd ? lineBreak + whole : whole };
}

function addition(
  text: string,
  document: Document,
  { name, expression, action }: AddedRule,
): TextEdit[] | undefined {
  const rules = ruleListIn(document);
  const last = (rules?.items.length ?? 0) - 1;
  if (!rules || last < 0) return undefined;
  const lines = rules.flow ? undefined : linesOf(text, rules.items, last);
  if (!rules.flow && !lines) return undefined;
  const indent = /^ */.exec(text.slice(lines?.start ?? 0))?.[0] ?? "";
  const written = rules.flow
    ? JSON.stringify({ name, expression, action })
    : [
        `${indent}- name: ${name}`,
        `${indent}  expression: ${JSON.stringify(expression)}`,
        `${indent}  action: ${action}`,
        "",
      ].join(lineBreakOf(text));
  const edit = inserted(text, document, last + 1, written);
  return edit && [edit];
}

const rangeOf = (node: unknown) =>
  isMap(node) && node.range ? node.range : undefined;
