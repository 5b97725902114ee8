import type { NodeOf } from "../syntax/ast";
import type { Checker } from "./checker";
import { readPattern } from "../regex/pattern";
import { notSupported } from "../syntax/problem";
import {
  isNumber,
  isScalar,
  nameOf,
  typeOf,
  type ValueKind,
  type ValueType,
} from "./value-type";

/** The type of `==`, `in`, `contains` and their like; their operands are checked. */
export function typeOfBinary(
  checker: Checker,
  node: NodeOf<"binary">,
): ValueType {
  const [left, right] = [checker.typeOf(node.left), checker.typeOf(node.right)];
  if (left.kind === "broken" || right.kind === "broken")
    return typeOf("boolean");
  switch (node.operator) {
    case "==":
    case "!=":
      checkEqual(checker, node, left, right);
      break;
    case "in":
      checkIn(checker, node, left, right);
      break;
    case "matches":
      checkMatches(checker, node, left);
      break;
    case "contains":
    case "startsWith":
    case "endsWith":
      if (left.kind !== "string" || right.kind !== "string")
        checker.mismatch(
          node.span,
          `${node.operator} needs two strings, not ${nameOf(left)} and ${nameOf(right)}`,
          left,
          right,
        );
  }
  return typeOf("boolean");
}

/** The type of a chain of `<` and its like; every neighbours have to be comparable. */
export function typeOfOrder(
  checker: Checker,
  node: NodeOf<"order">,
): ValueType {
  const types = node.operands.map((operand) => checker.typeOf(operand));
  for (const [i, operator] of node.operators.entries()) {
    const left = types[i] ?? typeOf("broken");
    const right = types[i + 1] ?? typeOf("broken");
    const areOrdered =
      (isNumber(left.kind) && isNumber(right.kind)) ||
      (left.kind === "string" && right.kind === "string");
    if (!areOrdered)
      checker.mismatch(
        node.span,
        `${operator} needs two numbers or two strings, not ${nameOf(left)} and ${nameOf(right)}`,
        left,
        right,
      );
  }
  return typeOf("boolean");
}

function checkEqual(
  checker: Checker,
  { operator, span }: NodeOf<"binary">,
  left: ValueType,
  right: ValueType,
): void {
  for (const type of [left, right])
    if (!canBeValue(type.kind)) {
      const hint =
        type.kind === "ip" ? "; write http.request.ip in cidr('...')" : "";
      checker.refuse(
        span,
        notSupported(`${operator} with ${nameOf(type)}`) + hint,
      );
      return;
    }
  if (!areComparable(left.kind, right.kind))
    checker.mismatch(
      span,
      `${nameOf(left)} cannot be compared with ${nameOf(right)}`,
      left,
      right,
    );
}

function checkIn(
  checker: Checker,
  { left, right, span }: NodeOf<"binary">,
  one: ValueType,
  many: ValueType,
): void {
  const isAddress = one.kind === "ip" && many.kind === "network";
  const isHeader = one.kind === "string" && many.kind === "headers";
  if (isAddress || isHeader) return;
  if (one.kind === "ip" || many.kind === "network")
    checker.refuse(
      one.kind === "ip" ? right.span : left.span,
      `an IP address has to be in cidr('...'); ${nameOf(one)} in ${nameOf(many)} cannot be`,
    );
  else if (many.kind === "headers")
    checker.mismatch(
      left.span,
      `a header is looked up by its name, this is ${nameOf(one)}`,
      one,
    );
  else if (many.kind === "group")
    checker.refuse(right.span, notSupported(`in with ${nameOf(many)}`));
  else if (many.kind !== "list")
    checker.mismatch(
      right.span,
      `in needs a list, headers or cidr('...') on its right, not ${nameOf(many)}`,
      one,
      many,
    );
  else if (!canBeValue(one.kind) || one.kind === "list")
    checker.refuse(left.span, notSupported(`${nameOf(one)} in a list`));
  else if (!areComparable(one.kind, many.element ?? "nil"))
    checker.mismatch(
      span,
      `${nameOf(one)} cannot be in ${nameOf(many)} of another kind`,
      one,
      many,
    );
}

function checkMatches(
  checker: Checker,
  { left, right }: NodeOf<"binary">,
  text: ValueType,
): void {
  if (text.kind !== "string")
    checker.mismatch(
      left.span,
      `matches needs a string on its left, not ${nameOf(text)}`,
      text,
    );
  if (right.kind !== "string") {
    checker.refuse(
      right.span,
      notSupported("a pattern that is not a literal string"),
    );
    return;
  }
  const pattern = readPattern(right.value);
  if ("mistake" in pattern) checker.refuse(right.span, pattern.mistake);
}

function canBeValue(kind: ValueKind): boolean {
  return isScalar(kind) || ["nil", "mixed", "list"].includes(kind);
}

function areComparable(a: ValueKind, b: ValueKind): boolean {
  const isOpen = [a, b].some((kind) => kind === "nil" || kind === "mixed");
  return isOpen || a === b || (isNumber(a) && isNumber(b));
}
