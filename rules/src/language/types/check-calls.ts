import type { Node, NodeOf } from "../syntax/ast";
import type { Checker } from "./checker";
import { parseNetwork } from "../ip-address";
import { notSupported } from "../syntax/problem";
import { listOf, nameOf, typeOf, type ValueType } from "./value-type";

const RESULTS = {
  len: "integer",
  lower: "string",
  upper: "string",
  trim: "string",
  cidr: "network",
} as const;

/** The type of a call; its arguments are checked. */
export function typeOfCall(checker: Checker, node: NodeOf<"call">): ValueType {
  const { name, args, span } = node;
  const most = name === "trim" ? 2 : 1;
  if (args.length < 1 || args.length > most)
    checker.refuse(
      span,
      `${name}() takes ${most === 1 ? "one argument" : "one or two arguments"}, not ${args.length}`,
    );
  else if (name === "cidr") checkNetwork(checker, args[0]);
  else
    for (const arg of args) {
      const type = checker.typeOf(arg);
      const fits =
        type.kind === "string" ||
        (name === "len" && (type.kind === "list" || type.kind === "headers"));
      if (!fits)
        checker.mismatch(
          arg.span,
          `${name}() does not take ${nameOf(type)}`,
          type,
        );
    }
  return typeOf(RESULTS[name]);
}

function checkNetwork(checker: Checker, arg: Node | undefined): void {
  if (arg?.kind !== "string") {
    if (arg)
      checker.refuse(
        arg.span,
        notSupported("cidr() of anything but a literal string"),
      );
  } else if (!parseNetwork(arg.value))
    checker.refuse(
      arg.span,
      `'${arg.value}' is not a network; write an address and how many bits count, such as '203.0.113.0/24'`,
    );
}

/** The type of `any(list, condition)` and its like; both are checked. */
export function typeOfQuantifier(
  checker: Checker,
  { name, list, condition }: NodeOf<"quantifier">,
): ValueType {
  const type = checker.typeOf(list);
  if (type.kind !== "list")
    checker.mismatch(
      list.span,
      `${name}() takes a list, not ${nameOf(type)}`,
      type,
    );
  if (!condition) {
    if (type.kind === "list" && type.element !== "boolean")
      checker.refuse(
        list.span,
        notSupported(`count() without a condition, of ${nameOf(type)},`),
      );
    return typeOf("integer");
  }
  const result = checker.typeOf(condition);
  if (result.kind !== "boolean")
    checker.mismatch(
      condition.span,
      `the condition of ${name}() has to be true or false, this is ${nameOf(result)}`,
      result,
    );
  if (name === "count") return typeOf("integer");
  if (name !== "filter") return typeOf("boolean");
  if (type.kind !== "list") return typeOf("broken");
  return { ...listOf(type.element ?? "nil"), loose: type.loose };
}
