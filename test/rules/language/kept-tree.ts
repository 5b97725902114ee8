import { expect } from "vitest";
import {
  formatExpression,
  parseExpression,
  printExpression,
  type Node,
} from "../../../rules/src/language";

/** A tree without the places of its nodes, as a text. */
const shapeText = (node: Node) =>
  JSON.stringify(node, (key, value: unknown) =>
    key === "span" || key === "outer" || key === "notation"
      ? undefined
      : typeof value === "bigint"
        ? `${value}n`
        : value,
  );

/** A tree without the places of its nodes. */
export const shapeOf = (node: Node): unknown => JSON.parse(shapeText(node));

export function parsed(source: string): Node | undefined {
  const result = parseExpression(source);
  return result.ok ? result.expression.root : undefined;
}

const nothing: Node = { kind: "nil", span: { offset: 0, length: 0 } };

/** Whether printing keeps a tree. */
export const isKept = (root: Node) =>
  shapeText(parsed(printExpression(root)) ?? nothing) === shapeText(root);

/** Expects that printing and formatting keep a tree. */
export function expectKept(root: Node): void {
  const text = printExpression(root);
  const shape = shapeOf(root);
  expect([text, shapeOf(parsed(text) ?? nothing)]).toEqual([text, shape]);
  const formatted = formatExpression(text) as string;
  expect([formatted, shapeOf(parsed(formatted) ?? nothing)]).toEqual([
    formatted,
    shape,
  ]);
}
