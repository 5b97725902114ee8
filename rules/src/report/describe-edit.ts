import type { ExpressionEdit } from "../diff";
import {
  formatExpression,
  parseExpression,
  printExpression,
} from "../language";
import { visibleText } from "./visible-text";

/** An expression on one line; as it was written where it does not parse. */
export function describeExpression(text: string): string {
  const parsed = parseExpression(text);
  return visibleText(
    parsed.ok ? printExpression(parsed.expression.root) : text,
  );
}

/** The same, a long one on several lines. */
export function expressionLines(text: string): string[] {
  const line = describeExpression(text);
  const formatted = formatExpression(line);
  return typeof formatted === "string" ? formatted.split("\n") : [line];
}

const SIGNS = { added: "+", removed: "-", moved: ">" } as const;

/** An edit in its parts: what stands before the code, the code, and what replaces that. */
export interface EditParts {
  readonly sign: string;
  readonly code: string;
  readonly replacement?: string;
}

/** How an edit of an expression reads. */
export function describeEdit(edit: ExpressionEdit): EditParts {
  if (edit.kind === "replaced")
    return {
      sign: "",
      code: visibleText(edit.before),
      replacement: visibleText(edit.after),
    };
  const operator = edit.operator ? `${edit.operator} ` : "";
  return {
    sign: SIGNS[edit.kind],
    code: visibleText(operator + edit.text),
  };
}
