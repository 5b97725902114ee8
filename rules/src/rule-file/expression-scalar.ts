import { applyEdits, type TextEdit } from "../language/syntax/text-edit";
import {
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  Scalar,
  type Document,
  type YAMLSeq,
} from "yaml";

/** An expression's scalar in a rule file. */
export interface ExpressionScalar {
  readonly scalar: Scalar;
  readonly start: number;
  readonly end: number;
  /** Where the key `expression` begins. */
  readonly keyStart: number;
  /** Whether it stands in `[]` or `{}`, where there are no blocks. */
  readonly inFlow: boolean;
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
  const { scalar, start, end, inFlow } = found;
  const isBlock =
    scalar.type === "BLOCK_LITERAL" || scalar.type === "BLOCK_FOLDED";
  if (isBlock) return [blockEdit(text, found, expression)];
  const isLong = expression.includes("\n");
  const spelt =
    isLong && !inFlow ? undefined : spellScalar(expression, scalar, inFlow);
  const stretch = { offset: start, length: end - start };
  if (spelt !== undefined) return [{ ...stretch, text: spelt }];
  const canBeBlock =
    !inFlow && readsAs(expression, `- |-\n${indented(expression, 1, "\n")}`);
  return canBeBlock
    ? newBlockEdits(text, found, expression)
    : [{ ...stretch, text: JSON.stringify(expression) }];
}

/** The scalar of a rule's expression; undefined for an alias. */
export function expressionScalar(
  document: Document,
  ruleIndex: number,
): ExpressionScalar | undefined {
  const { contents } = document;
  const rules = ruleListIn(document);
  const rule = rules?.get(ruleIndex);
  if (!isMap(rule)) return undefined;
  for (const { key, value } of rule.items) {
    if (!isScalar(key) || key.value !== "expression") continue;
    if (!isScalar(value) || !value.range || !key.range) continue;
    const [start, end] = value.range;
    const inFlow = [contents, rules, rule].some(
      (around) => (isMap(around) || isSeq(around)) && around.flow === true,
    );
    return { scalar: value, start, end, keyStart: key.range[0], inFlow };
  }
  return undefined;
}

/** The list of rules of a file; undefined if there is none. */
export function ruleListIn({ contents }: Document): YAMLSeq | undefined {
  const rules = isMap(contents) ? contents.get("rules") : undefined;
  return isSeq(rules) ? rules : undefined;
}

/** The edit of a block. Its header, comment, indentation and last empty lines stay. */
function blockEdit(
  text: string,
  { scalar, start, end }: ExpressionScalar,
  expression: string,
): TextEdit {
  const source = text.slice(start, end);
  const [header = ""] = source.split(/\r?\n/, 1);
  const indent =
    indentOf(source.slice(header.length)) - indentOf(String(scalar.value));
  const lineBreak = lineBreakOf(text);
  return {
    offset: start,
    length: source.trimEnd().length,
    text:
      header.replace(/^>/, "|") +
      lineBreak +
      indented(expression, indent, lineBreak),
  };
}

/** The header takes the place of the scalar, so that a comment behind it stays there. */
function newBlockEdits(
  text: string,
  { start, end, keyStart }: ExpressionScalar,
  expression: string,
): TextEdit[] {
  const column = keyStart - (text.lastIndexOf("\n", keyStart) + 1);
  const lineBreak = lineBreakOf(text);
  const lineEnd = end + text.slice(end).search(/\r?\n|$/);
  const block = lineBreak + indented(expression, column + 2, lineBreak);
  return [
    { offset: start, length: end - start, text: "|-" },
    { offset: lineEnd, length: 0, text: block },
  ];
}

/** The line break that a text uses. */
export const lineBreakOf = (text: string) =>
  text.includes("\r\n") ? "\r\n" : "\n";

const indented = (expression: string, indent: number, lineBreak: string) =>
  expression
    .split("\n")
    .map((line) => (line === "" ? "" : " ".repeat(indent) + line))
    .join(lineBreak);

/** Blanks before the first character of a text that is not blank. */
const indentOf = (text: string) =>
  /^( *)[^ \r\n]/m.exec(text)?.[1]?.length ?? 0;

/**
 * A text on one line of YAML without escapes: in the style of the replaced scalar, else
 * bare, else in double quotes; `undefined` if none of them reads as the text.
 */
function spellScalar(
  value: string,
  { type }: Scalar,
  inFlow: boolean,
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
export function readsAsEdited(
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
