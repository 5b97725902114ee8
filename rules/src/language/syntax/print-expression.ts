import { assertNever } from "../../assert-never";
import { childrenFirst } from "../../children-first";
import { keptIn } from "../../keeping-results";
import { infixOperators, operatorsOf, rowOf } from "../tables/lookup";
import { HIDDEN, isName, SHORT_ESCAPES } from "../text/characters";
import { childrenOf, postOrder, type Node } from "./ast";

/**
 * The precedence of the printed form of a node. An operand with a lower precedence than
 * its operator needs is printed in brackets.
 */
const HOLD = {
  conditional: 0,
  // expr-lang refuses `a ?? b == c`, so `??` as an operand always gets brackets.
  coalesce: 1,
  "||": rowOf(operatorsOf.logical, "||").precedence,
  "&&": rowOf(operatorsOf.logical, "&&").precedence,
  comparison: rowOf(operatorsOf.equality, "==").precedence,
  unary: 50,
  literal: 70,
  glued: 80,
};

/**
 * Prints an expression on one line, with as few brackets as possible, strings in
 * single quotes, and operators as signs. Parsing the text gives the same tree.
 */
export function printExpression(root: Node): string {
  return print(root, false);
}

/** A node as it is printed as an operand: with the brackets that it has. */
export const printOperand = (node: Node): string =>
  node.outer ? `(${printExpression(node)})` : printExpression(node);

/**
 * A text that is equal for two nodes if expr-lang treats them as equal: `a['b']` prints
 * as `a.b`.
 */
export function canonicalText(root: Node): string {
  return print(root, true);
}

/**
 * A function whose result is equal for two nodes if their canonical texts are. It looks at
 * each node once, so that comparing all parts of a deep tree takes no longer than reading it.
 */
export function canonicalIds(): (node: Node) => string {
  const idOfText = new Map<string, string>();
  const ids = new Map<Node, string>();
  const idOf = (node: Node) => ids.get(node) ?? "";
  const unknown = (node: Node) =>
    childrenOf(node).filter((child) => !ids.has(child));
  return (root) => {
    for (const node of ids.has(root) ? [] : childrenFirst(root, unknown))
      // No printed text has this character.
      ids.set(
        node,
        keptIn(idOfText, textOf(node, idOf, true), () => `\0${idOfText.size} `),
      );
    return idOf(root);
  };
}

/** A string of the language, in single quotes, with escapes for hidden characters. */
export function quote(value: string): string {
  const escaped = value
    .replace(/[\\']/g, "\\$&")
    .replace(HIDDEN, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16);
      if (character > "\x7f") return `\\u{${code}}`;
      return SHORT_ESCAPES[character] ?? `\\x${code.padStart(2, "0")}`;
    });
  return `'${escaped}'`;
}

function print(root: Node, isCanonical: boolean): string {
  const texts = new Map<Node, string>();
  for (const { node } of postOrder(root)) {
    texts.set(
      node,
      textOf(
        node,
        (child, least = 0) =>
          holdOf(child) >= least
            ? (texts.get(child) ?? "")
            : `(${texts.get(child)})`,
        isCanonical,
      ),
    );
    // The text of a parent replaces those of its children.
    for (const child of childrenOf(node)) texts.delete(child);
  }
  return texts.get(root) ?? "";
}

function textOf(
  node: Node,
  of: (child: Node, least?: number) => string,
  isCanonical: boolean,
): string {
  switch (node.kind) {
    case "boolean":
    case "integer":
      return String(node.value);
    case "float":
      return floatText(node.value);
    case "nil":
      return "nil";
    case "string":
      return quote(node.value);
    case "name":
      return node.name;
    case "pointer":
      return "#";
    case "member": {
      const object = of(node.object, HOLD.glued);
      const { property, notation } = node;
      const isDot = isCanonical
        ? property.kind === "string" && isName(property.value)
        : notation === "dot";
      return isDot && property.kind === "string"
        ? `${object}.${property.value}`
        : `${object}[${of(property)}]`;
    }
    case "unary":
      return `${node.operator}${of(node.operand, HOLD.unary)}`;
    case "binary": {
      const { precedence } = rowOf(infixOperators, node.operator);
      return `${of(node.left, precedence)} ${node.negated ? "not " : ""}${node.operator} ${of(node.right, precedence + 1)}`;
    }
    case "order":
      return node.operands
        .map((operand, i) => {
          // `a == b < c` needs no brackets, but a chain of order on the left would become part of this one.
          const least =
            i === 0 && operand.kind === "binary" ? HOLD.comparison : HOLD.unary;
          return `${i > 0 ? `${node.operators[i - 1]} ` : ""}${of(operand, least)}`;
        })
        .join(" ");
    case "logical":
      return node.operands
        .map((operand) => of(operand, HOLD[node.operator] + 1))
        .join(` ${node.operator} `);
    case "coalesce":
      // `??` binds tighter than every other operator, even a prefix, so only a chain
      // needs no brackets.
      return `${of(node.left, node.left.kind === "coalesce" ? HOLD.coalesce : HOLD.literal)} ?? ${of(node.right, HOLD.literal)}`;
    case "conditional":
      return node.consequent
        ? `${of(node.condition, HOLD["||"])} ? ${of(node.consequent)} : ${of(node.alternate)}`
        : `${of(node.condition, HOLD["||"])} ?: ${of(node.alternate)}`;
    case "list":
      return `[${node.elements.map((element) => of(element)).join(", ")}]`;
    case "call":
      return `${node.name}(${node.args.map((arg) => of(arg)).join(", ")})`;
    case "quantifier":
      return node.condition
        ? `${node.name}(${of(node.list)}, ${of(node.condition)})`
        : `${node.name}(${of(node.list)})`;
    default:
      return assertNever(node);
  }
}

function holdOf(node: Node): number {
  switch (node.kind) {
    case "conditional":
      return HOLD.conditional;
    case "logical":
      return HOLD[node.operator];
    case "binary":
      return rowOf(infixOperators, node.operator).precedence;
    case "order":
      return HOLD.comparison;
    case "unary":
      return HOLD.unary;
    case "coalesce":
      return HOLD.coalesce;
    case "boolean":
    case "nil":
    case "integer":
    case "float":
      return HOLD.literal;
    default:
      return HOLD.glued;
  }
}

/** The text of a float, which never reads as an integer. */
function floatText(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
