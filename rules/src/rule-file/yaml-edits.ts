import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  Scalar,
  visit,
  type Document,
  type YAMLSeq,
} from "yaml";
import { allKnown } from "../all-known";
import { HIDDEN } from "../language/text/characters";
import {
  applyEdits,
  lineBreakOf,
  replaced,
  type TextEdit,
} from "../language/syntax/text-edit";
import type { AddedRule, RuleEdit } from "../lint/set/lint";
import { onceFor } from "../once-for";
import { offsetInScalar, type RuleFile } from "./rule-file";

/**
 * The edits of a rule file's text for a fix of lint. Undefined if they are not
 * possible, because a test names the deleted rule, the expression is an alias or has one, or
 * an anchor would go away or come behind its alias.
 */
export function editsInFile(
  file: RuleFile,
  ruleIndex: number,
  edits: readonly RuleEdit[],
): readonly TextEdit[] | undefined {
  // An edit of the list of rules is the only one.
  const [edit] = edits;
  switch (edit?.kind) {
    case "delete": {
      const { name } = file.rules[ruleIndex] ?? {};
      const isTested = file.tests.some(({ expect }) => expect.rule === name);
      return isTested || hasAnchor(file.document, ruleIndex)
        ? undefined
        : deletion(file, ruleIndex);
    }
    case "move":
      return hasAnchor(file.document, ruleIndex, "or an alias")
        ? undefined
        : move(file, ruleIndex, edit.to);
    case "add":
      return addition(file, edit.rule);
    default:
      return replacements(
        file,
        ruleIndex,
        edits.filter((each) => each.kind === "replace"),
      );
  }
}

/** The list of rules of a file; undefined if there is none. */
export function ruleListIn({ contents }: Document): YAMLSeq | undefined {
  const rules = isMap(contents) ? contents.get("rules") : undefined;
  return isSeq(rules) ? rules : undefined;
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

/** Where a rule stands in the text of its file. In a list in brackets, it has no lines of its own. */
interface RulePlace {
  /** In front of the comments right in front of the rule; an empty line ends them. */
  readonly front: number;
  readonly start: number;
  readonly end: number;
  /**
   * Behind the line break of its last line, or at the end of a file without one. Comments
   * that follow further to the right than its dash are lines of the rule.
   */
  readonly lineEnd: number;
  /** Whether it can be moved: its lines have no other text. */
  readonly isMovable: boolean;
}

/** The places of a file's rules, in their order. */
export const placesOfRules = onceFor(
  ({ text, document }: RuleFile): readonly RulePlace[] => {
    const list = ruleListIn(document);
    let before = 0;
    return (list?.items ?? []).map((item) => {
      const [from, end] = (isNode(item) && item.range) || [0, 0];
      const between = before;
      before = end;
      const lastLine = text.indexOf("\n", text.slice(0, end).trimEnd().length);
      let lineEnd = lastLine < 0 ? text.length : lastLine + 1;
      if (list?.flow)
        return { front: from, start: from, end, lineEnd, isMovable: end > 0 };
      const dash = text.lastIndexOf("-", from - 1);
      const start = text.lastIndexOf("\n", dash) + 1;
      const behind = new RegExp(
        `^(?:(?: *\\r?\\n)* {${dash - start + 1},}#[^\\n]*(?:\\n|$))+`,
      );
      lineEnd += behind.exec(text.slice(lineEnd))?.[0].length ?? 0;
      const own = new RegExp(`(?:(?<=^|\\n) {${dash - start}}#[^\\n]*\\n)+$`);
      const [comments = ""] = own.exec(text.slice(between, start)) ?? [];
      const isMovable = /^ *-\s*$/.test(text.slice(start, from));
      return { front: start - comments.length, start, end, lineEnd, isMovable };
    });
  },
);

/** The edit that deletes a rule; comments in front of it stay. Undefined for the only rule. */
function deletion(file: RuleFile, ruleIndex: number): TextEdit[] | undefined {
  const { text, document } = file;
  const places = placesOfRules(file);
  const [before, next] = [places[ruleIndex - 1], places[ruleIndex + 1]];
  const rule = places[ruleIndex];
  if (!rule?.isMovable || (!before && !next)) return undefined;
  if (ruleListIn(document)?.flow) {
    const { start, end, lineEnd } = rule;
    const gone = next
      ? replaced(start, next.start)
      : replaced(before?.end ?? start, end);
    // A comment beside a rule in brackets would be lost, or come beside another rule.
    const behind = text.slice(end, next?.start ?? lineEnd);
    const isCommented = (text.slice(gone.offset, start) + behind).includes("#");
    return isCommented ? undefined : [gone];
  }
  // A comment that allows a finding of this rule would then apply to the next rule.
  const front = text.slice(before?.lineEnd ?? 0, rule.start);
  if (front.includes("devid-allow")) return undefined;
  // Empty lines behind the rule are deleted, too.
  const [empty = ""] = /^(?: *\r?\n)*/.exec(text.slice(rule.lineEnd)) ?? [];
  return [replaced(rule.start, rule.lineEnd + empty.length)];
}

/** The edits that move a rule with its comments in front of the rule at an index, or to the end. */
function move(
  file: RuleFile,
  ruleIndex: number,
  to: number,
): TextEdit[] | undefined {
  const rule = placesOfRules(file)[ruleIndex];
  if (!rule?.isMovable) return undefined;
  const { front, end, lineEnd } = rule;
  const isFlow = ruleListIn(file.document)?.flow === true;
  const gone = isFlow ? deletion(file, ruleIndex) : [replaced(front, lineEnd)];
  const come = inserted(
    file,
    to,
    file.text.slice(front, isFlow ? end : lineEnd),
  );
  return gone && come && [...gone, come];
}

/** The edit that inserts the text of a rule in front of the rule at an index, or at the end. */
function inserted(
  file: RuleFile,
  to: number,
  rule: string,
): TextEdit | undefined {
  const { text, document } = file;
  const places = placesOfRules(file);
  const next = places[to];
  const place = next ?? places.at(-1);
  if (!place?.isMovable) return undefined;
  const at = (offset: number, added: string) => replaced(offset, offset, added);
  if (ruleListIn(document)?.flow)
    return next ? at(next.start, `${rule}, `) : at(place.end, `, ${rule}`);
  const lineBreak = lineBreakOf(text);
  const whole = rule.endsWith("\n") ? rule : rule + lineBreak;
  const offset = next ? next.front : place.lineEnd;
  const isLineEnded = offset === 0 || text[offset - 1] === "\n";
  return at(offset, isLineEnded ? whole : lineBreak + whole);
}

function addition(
  file: RuleFile,
  { name, expression, action }: AddedRule,
): TextEdit[] | undefined {
  const { text, document } = file;
  const start = placesOfRules(file).at(-1)?.start ?? 0;
  const [indent = ""] = /^ */.exec(text.slice(start)) ?? [];
  const rule = ruleListIn(document)?.flow
    ? JSON.stringify({ name, expression, action })
    : [
        `${indent}- name: ${name}`,
        `${indent}  expression: ${JSON.stringify(expression)}`,
        `${indent}  action: ${action}`,
        "",
      ].join(lineBreakOf(text));
  const edit = inserted(file, Infinity, rule);
  return edit && [edit];
}

/** The edits of parts of an expression where they stand, or of all of it if it would then read otherwise. */
function replacements(
  { text, document, rules }: RuleFile,
  ruleIndex: number,
  edits: readonly TextEdit[],
): TextEdit[] | undefined {
  const found = expressionScalar(document, ruleIndex);
  const rule = ruleListIn(document)?.items[ruleIndex];
  // With an anchor, the edit would change other rules, too.
  if (!found || found.scalar.anchor || (isMap(rule) && rule.anchor))
    return undefined;
  const whole = applyEdits(rules[ruleIndex]?.expression ?? "", edits);
  const placed = allKnown(
    edits.map((edit) => {
      const [from, to] = [edit.offset, edit.offset + edit.length].map(
        (offset) => offsetInScalar(text, found.scalar, offset),
      );
      return from === undefined || to === undefined
        ? undefined
        : replaced(from, to, edit.text);
    }),
  );
  return placed && readsAsEdited(text, found, placed, whole)
    ? placed
    : replaceExpression(text, document, ruleIndex, whole);
}

/** An expression's scalar in a rule file. */
interface ExpressionScalar {
  readonly scalar: Scalar;
  readonly start: number;
  readonly end: number;
  /** Where the first field of its rule begins. */
  readonly ruleStart: number;
  /** Whether it stands in `[]` or `{}`, where there are no blocks. */
  readonly inFlow: boolean;
}

/** The scalar of a rule's expression; undefined for an alias. */
function expressionScalar(
  document: Document,
  ruleIndex: number,
): ExpressionScalar | undefined {
  const rules = ruleListIn(document);
  const rule = rules?.get(ruleIndex);
  const scalar = isMap(rule) ? rule.get("expression", true) : undefined;
  if (!isMap(rule) || !isScalar(scalar) || !scalar.range) return undefined;
  const [start, end] = scalar.range;
  const inFlow = [document.contents, rules, rule].some(
    (around) => (isMap(around) || isSeq(around)) && around.flow === true,
  );
  return { scalar, start, end, ruleStart: rule.range?.[0] ?? 0, inFlow };
}

/**
 * The edits of a rule file's text that give a rule another expression. A block stays a
 * block. Any other expression is written on one line if it needs no escapes, else in a
 * literal block; in a flow such as JSON, in double quotes. Comments stay. Empty for an
 * alias.
 */
export function replaceExpression(
  text: string,
  document: Document,
  ruleIndex: number,
  expression: string,
): TextEdit[] {
  const found = expressionScalar(document, ruleIndex);
  if (!found) return [];
  const { scalar, start, end, ruleStart, inFlow } = found;
  /** The lines of a block behind its header. */
  const block = (blanks: number, lineBreak = lineBreakOf(text)) =>
    expression
      .split("\n")
      .map((line) => lineBreak + (line && " ".repeat(blanks) + line))
      .join("");
  if (scalar.type?.startsWith("BLOCK")) {
    // Its header, comment, indentation and last empty lines stay.
    const source = text.slice(start, end);
    const [header = ""] = source.split(/\r?\n/, 1);
    const blanks =
      blanksOf(source.slice(header.length)) - blanksOf(String(scalar.value));
    const written = header.replace(/^>/, "|") + block(blanks);
    return [replaced(start, start + source.trimEnd().length, written)];
  }
  if (expression.replace(/[\t\n\r]/g, "").search(HIDDEN) >= 0)
    return [replaced(start, end, escaped(expression))];
  const isLong = expression.includes("\n") && !inFlow;
  const line = isLong ? undefined : onOneLine(expression, found);
  if (line !== undefined) return [replaced(start, end, line)];
  if (inFlow || !readsAs(expression, `- |-${block(1, "\n")}`))
    return [replaced(start, end, escaped(expression))];
  // The header takes the place of the scalar, so that a comment behind it stays there.
  const lineEnd = end + text.slice(end).search(/\r?\n|$/);
  const column = ruleStart - (text.lastIndexOf("\n", ruleStart) + 1);
  return [
    replaced(start, end, "|-"),
    replaced(lineEnd, lineEnd, block(column + 2)),
  ];
}

/** A text in double quotes, with escapes that YAML and JSON share for what is not seen. */
const escaped = (text: string) =>
  JSON.stringify(text).replace(HIDDEN, (character) =>
    [...Array(character.length).keys()]
      .map((i) => character.charCodeAt(i).toString(16).padStart(4, "0"))
      .map((code) => `\\u${code}`)
      .join(""),
  );

/** Blanks before the first character of a text that is not blank. */
const blanksOf = (text: string) =>
  /^( *)[^ \r\n]/m.exec(text)?.[1]?.length ?? 0;

/**
 * A text on one line of YAML without escapes: in the style of the replaced scalar, else
 * bare, else in double quotes; `undefined` if none of them reads as the text.
 */
function onOneLine(
  value: string,
  { scalar: { type }, inFlow }: ExpressionScalar,
): string | undefined {
  const ways = [value, `"${value}"`];
  if (type === Scalar.QUOTE_SINGLE) ways.unshift(`'${value}'`);
  if (type === Scalar.QUOTE_DOUBLE) ways.reverse();
  // JSON is a flow with double quotes only.
  if (type === Scalar.QUOTE_DOUBLE && inFlow) ways.pop();
  return ways.find((way) => readsAs(value, inFlow ? `[${way}]` : `- ${way}`));
}

/** Whether the first item of a YAML list reads as a text. */
function readsAs(value: string, list: string): boolean {
  const document = parseDocument(list);
  return document.errors.length === 0 && document.getIn([0]) === value;
}

/** Whether a scalar with edits reads as a text. */
function readsAsEdited(
  text: string,
  { scalar, start, end, inFlow }: ExpressionScalar,
  edits: readonly TextEdit[],
  expected: string,
): boolean {
  // A block holds any line as it is.
  if (scalar.type === "BLOCK_LITERAL")
    return edits.every((edit) => !edit.text.includes("\n"));
  const edited = applyEdits(
    text.slice(start, end),
    edits.map((edit) => ({ ...edit, offset: edit.offset - start })),
  );
  if (PLAINLY_QUOTED.test(edited)) return edited.slice(1, -1) === expected;
  return readsAs(expected, inFlow ? `[${edited}]` : `- ${edited}`);
}

/** A scalar in quotes that reads as what stands between them. YAML is not parsed for each of thousands of edits. */
const PLAINLY_QUOTED = /^"[ !#-[\]-~]*"$|^'[ -&(-~]*'$/;
