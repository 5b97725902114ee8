import { assertNever } from "../assert-never";
import type { Node, NodeOf } from "../language";
import { canonicalText } from "../language/syntax/print-expression";
import { ElementCondition } from "./element-condition";
import { ALWAYS, NEVER } from "./formula";
import { exists } from "./header-formula";
import { logicTruth, notTruth, strict } from "./logic-meaning";
import {
  always,
  combine,
  fromTruth,
  truth,
  truthOf,
  type Meaning,
  type Operand,
  type Truth,
} from "./meaning";
import { nodeMeaning, type Context } from "./node-meaning";
import { constantSubject, type TextSubject } from "./subject";

/** Quantifiers within each other that are followed. */
const MAX_DEPTH = 3;
/** Most nodes of a condition that are looked at for one element. */
const MAX_NODES = 5_000;
/** Elements of a list of literals that are looked at one by one. */
const MAX_ELEMENTS = 16;

/** The meaning of `any(list, condition)` and its like; undefined where it cannot be told. */
export function quantifierMeaning(
  { name, condition }: NodeOf<"quantifier">,
  list: Meaning | undefined,
  context: Context,
): Meaning | undefined {
  if (!list || !condition || context.depth >= MAX_DEPTH) return undefined;
  return combine([list], (operand) => {
    switch (name) {
      case "any":
        return asMeaning(anyTruth(operand, condition, false, context));
      case "all":
        return asMeaning(anyTruth(operand, condition, true, context), true);
      case "none":
        return asMeaning(anyTruth(operand, condition, false, context), true);
      case "filter":
      case "count": {
        const one =
          operand.kind === "header" &&
          elementCondition(operand.name, condition, false, context);
        if (!one) return undefined;
        return name === "filter"
          ? always({ kind: "filtered", condition: one })
          : always({ kind: "matches", condition: one });
      }
      default:
        return assertNever(name);
    }
  });
}

function asMeaning(
  found: Truth | undefined,
  isNegated = false,
): Meaning | undefined {
  return found && fromTruth(isNegated ? notTruth(found) : found);
}

/** That any element meets a condition, or any does not. */
function anyTruth(
  list: Operand,
  condition: Node,
  isNegated: boolean,
  context: Context,
): Truth | undefined {
  if (list.kind === "header") {
    const one = elementCondition(list.name, condition, isNegated, context);
    return one && truthOf(truth(exists(one)));
  }
  if (list.kind !== "list" || list.elements.length > MAX_ELEMENTS)
    return undefined;
  const truths = list.elements.map((element) =>
    truthFor(element, condition, isNegated, context),
  );
  const known = truths.filter((one) => one !== undefined);
  if (known.length < truths.length) return undefined;
  const isNever = { defined: ALWAYS, isNil: NEVER, holds: NEVER };
  return known.length === 0 ? isNever : logicTruth("||", known);
}

/** A condition for the values of a header; undefined where it may fail. */
function elementCondition(
  header: string,
  condition: Node,
  isNegated: boolean,
  context: Context,
): ElementCondition | undefined {
  const key = `${JSON.stringify(header)} ${isNegated ? "!" : ""}${canonicalText(condition)}`;
  const of = (subject: TextSubject, budget = { left: MAX_NODES }) =>
    truthFor({ kind: "text", subject }, condition, isNegated, {
      ...context,
      budget,
    });
  const trial = of(constantSubject(""), context.budget);
  if (trial?.defined !== ALWAYS) return undefined;
  return new ElementCondition(
    header,
    key,
    (element) => of(element)?.holds ?? NEVER,
  );
}

function truthFor(
  element: Operand,
  condition: Node,
  isNegated: boolean,
  context: Context,
): Truth | undefined {
  const inner = { ...context, element, depth: context.depth + 1 };
  const meaning = nodeMeaning(condition, inner);
  if (!meaning) return undefined;
  const found = strict(truthOf(meaning));
  return isNegated ? notTruth(found) : found;
}
