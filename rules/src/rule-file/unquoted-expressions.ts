import { checkExpression } from "../language";
import {
  applyEdits,
  lineBreakOf,
  type TextEdit,
} from "../language/syntax/text-edit";
import { parseYaml } from "./bounded-yaml";

/** What stands behind `expression:` on its line. */
const VALUE = /^([ \t]*(?:- +)?)expression:[ \t]+(\S.*?)[ \t]*\r?$/gm;

/**
 * The edits that put expressions into blocks (`|-`) which YAML cannot read as they are
 * written, such as `a ? b : c` and `'Origin' not in ...`, or of which it reads a part as a
 * comment. Empty unless all that is written is an expression, and what YAML reads is none.
 */
export function unquotedExpressions(text: string): TextEdit[] {
  return [...text.matchAll(VALUE)].flatMap(
    ({ 0: line, 1: before = "", 2: written = "", index }) => {
      const read = valueOf(`- ${written}`);
      // Of "! a", YAML reads "a".
      const isRead = isExpression(read) && !written.startsWith("!");
      if (String(read) === written || isRead || !isExpression(written))
        return [];
      const offset = index + line.indexOf(written, before.length + 11);
      const indent = " ".repeat(before.length + 2);
      const block = `|-${lineBreakOf(text)}${indent}${written}`;
      return { offset, length: written.length, text: block };
    },
  );
}

/** The text with these edits, if it is YAML with them. */
export function withBlocks(text: string): string {
  const edits = unquotedExpressions(text);
  const edited = applyEdits(text, edits);
  const isYaml = edits.length > 0 && parseYaml(edited).errors.length === 0;
  return isYaml ? edited : text;
}

/** The first item of a YAML list; undefined if that is no YAML, or has a tag such as `!a`. */
function valueOf(list: string): unknown {
  const document = parseYaml(list);
  const isRead = document.errors.length + document.warnings.length === 0;
  return isRead ? document.getIn([0]) : undefined;
}

const isExpression = (value: unknown) =>
  typeof value === "string" && checkExpression(value).ok;
