import { allKnown } from "../all-known";
import { assertNever } from "../assert-never";
import { childrenFirst } from "../children-first";
import type { CheckedExpression } from "../language";
import {
  type Core,
  type CoreFunction,
  type CoreOf,
  hasNestedLoop,
  keyOf,
  nodesOf,
  operandsOf,
} from "../core/core";
import { coreOf } from "../core/lower";
import { onceFor } from "../once-for";
import type { Field } from "../language/tables/fields";
import type { TextFunction } from "../language/tables/functions";
import { fieldNamed, functionsOf, rowOf } from "../language/tables/lookup";
import { lengthOf } from "../language/text/text";
import {
  applyMapping,
  exists,
  hasElement,
  isMissing,
  isOneOf,
  isTrue,
} from "./atoms";
import {
  equalSymbolically,
  inSymbolically,
  matchesSymbolically,
  orderSymbolically,
  textSymbolically,
} from "./compare-symbolically";
import {
  ALWAYS,
  and,
  booleanVariable,
  constantVariable,
  ElementPredicate,
  elementVariable,
  fieldVariable,
  HEADERS,
  IP,
  lengthVariable,
  mappedVariable,
  NEVER,
  numberWithin,
  or,
  sizeVariable,
  type Formula,
  type NumberVariable,
  type TextMapping,
  type TextVariable,
} from "./formula";
import { addressRanges, only, type Range } from "./integer-set";
import {
  always,
  combine,
  constant,
  FAILS,
  fromTruth,
  isTruthValue,
  keyOfTerm,
  logicTruth,
  notTruth,
  strict,
  truth,
  truthOf,
  type SymbolicValue,
  type Term,
  type Truth,
} from "./symbolic-value";

/** The requests for which an expression is true, is false, and does not fail. */
export interface SymbolicResult {
  readonly isTrue: Formula;
  readonly isFalse: Formula;
  readonly isDefined: Formula;
}

/**
 * Most nodes that are evaluated for one expression. The condition of a
 * loop counts once for each element that it is evaluated for.
 */
const MAX_NODES = 50_000;
/** Most elements of a list that are evaluated one by one. */
const MAX_ELEMENTS = 16;
/** Farthest index of a list that the solver reasons about. */
const MAX_INDEX = 2n ** 32n;
/** Most nodes of a condition that are evaluated for one element. */
const MAX_ELEMENT_NODES = 5_000;

/** The steps of a search that evaluating a node counts as. */
const STEPS_OF_NODE = 30;

/** Evaluates an expression for all requests at once. The result is kept. */
export const evaluateSymbolically = onceFor(
  (expression: CheckedExpression): SymbolicResult => {
    const root = coreOf(expression);
    const context = { nodes: { left: MAX_NODES } };
    // Nested loops may exceed their limit, which depends on the number of all values that
    // they read.
    const value =
      (hasNestedLoop(root) ? undefined : evaluateNode(root, context)) ??
      opaque(root, context);
    const { defined, isNil, holds } = truthOf(value);
    return {
      isTrue: and(defined, isNil.opposite, holds),
      isFalse: and(defined, or(isNil, holds.opposite)),
      isDefined: defined,
    };
  },
);

/** What the value of a node depends on, besides the node itself. */
interface Context {
  /** The element that `#` stands for; absent outside of loops. */
  readonly element?: Term;
  /** How many more nodes may be evaluated. */
  readonly nodes: { left: number };
}

type ValueOf = (node: Core) => SymbolicValue | undefined;

/**
 * The value of a node, or undefined if the solver cannot analyse it. A boolean node
 * always has a value: if it cannot be analysed, it becomes a variable without
 * constraints.
 */
function evaluateNode(root: Core, context: Context): SymbolicValue | undefined {
  const nodes = childrenFirst(root, evaluatedFirst);
  context.nodes.left -= nodes.length;
  const isWithinLimit = context.nodes.left >= 0;
  const values = new Map<Core, SymbolicValue | undefined>();
  const of = (node: Core) => values.get(node);
  for (const node of isWithinLimit ? nodes : [root]) {
    const value = isWithinLimit ? valueOfNode(node, of, context) : undefined;
    values.set(
      node,
      node.isBoolean && !(value && isTruthValue(value))
        ? opaque(node, context)
        : value,
    );
  }
  return values.get(root);
}

/** The operands whose values a node combines: all but the condition of a loop. */
function evaluatedFirst(node: Core): readonly Core[] {
  return node.kind === "some" || node.kind === "filter"
    ? [node.list]
    : operandsOf(node);
}

function valueOfNode(
  node: Core,
  of: ValueOf,
  context: Context,
): SymbolicValue | undefined {
  switch (node.kind) {
    case "constant":
      return constant(node.value);
    case "pointer":
      return context.element && always(context.element);
    case "field":
      return evaluateField(node.field);
    case "header":
      return combineAll([node.name], of, (name) =>
        name.kind === "constant" && typeof name.value === "string"
          ? always({ kind: "header", name: name.value })
          : undefined,
      );
    case "network":
      return truth(numberWithin(IP, addressRanges(node.network)));
    case "list":
      return evaluateList(node, of);
    case "element":
      return combineAll([node.list, node.index], of, evaluateElement);
    case "call":
      return combineAll(node.args, of, (first, second) =>
        evaluateCall(node.call, first, second),
      );
    case "text":
      return combineAll([node.left, node.right], of, (left, right) =>
        textSymbolically(node, left, right),
      );
    case "matches":
      return combineAll([node.text], of, (text) =>
        matchesSymbolically(node, text),
      );
    case "equal":
      return combineAll([node.left, node.right], of, (left, right) =>
        equalSymbolically(node, left, right),
      );
    case "order":
      return evaluateChain(node, of);
    case "in":
      return combineAll([node.needle, node.list], of, inSymbolically);
    case "some":
      return combineAll([node.list], of, (list) =>
        evaluateSome(node, list, context),
      );
    case "filter":
      return undefined;
    case "not": {
      const operand = of(node.operand);
      return operand && fromTruth(notTruth(truthOf(operand)));
    }
    case "logical": {
      const values = allKnown(node.operands.map(of));
      return values && fromTruth(logicTruth(node.decides, values.map(truthOf)));
    }
    case "if":
      return combineAll([node.condition], of, (condition) => {
        if (condition.kind !== "constant") return undefined;
        if (condition.value === null) return FAILS;
        return of(condition.value ? node.consequent : node.alternate);
      });
    case "coalesce":
      return combineAll([node.left], of, (left) =>
        coalesced(left, of(node.right)),
      );
    default:
      return assertNever(node);
  }
}

/** All headers, or what the `symbolic` of a field's row says. */
function evaluateField(field: Field): SymbolicValue | undefined {
  const { type, symbolic } = field;
  if (type === "headers") return always({ kind: "headers" });
  switch (symbolic?.kind) {
    case undefined:
      return undefined;
    case "variable":
      if (type === "string")
        return always({ kind: "text", variable: fieldVariable(field) });
      return type === "boolean"
        ? truth(isTrue(booleanVariable(field)))
        : undefined;
    case "equals": {
      const other = fieldNamed(symbolic.field);
      return other && truth(isOneOf(fieldVariable(other), [symbolic.value]));
    }
    default:
      return assertNever(symbolic);
  }
}

function combineAll(
  nodes: readonly Core[],
  of: ValueOf,
  make: (...terms: Term[]) => SymbolicValue | undefined,
): SymbolicValue | undefined {
  const parts = allKnown(nodes.map(of));
  return parts && combine(parts, make);
}

/** Every operand of a chain is compared with the next one, until a comparison is false. */
function evaluateChain(
  { operators, operands }: CoreOf<"order">,
  of: ValueOf,
): SymbolicValue | undefined {
  const pairs = allKnown(
    operators.map((operator, i) =>
      combineAll(operands.slice(i, i + 2), of, (left, right) =>
        orderSymbolically(operator, left, right),
      ),
    ),
  );
  return pairs && fromTruth(logicTruth(false, pairs.map(truthOf)));
}

function coalesced(
  left: Term,
  right: SymbolicValue | undefined,
): SymbolicValue | undefined {
  if (left.kind === "constant" && left.value === null) return right;
  if (left.kind !== "header") return always(left);
  if (!right) return undefined;
  const missing = isMissing(left.name);
  return {
    defined: or(missing.opposite, right.defined),
    cases: [
      { guard: missing.opposite, term: left },
      ...right.cases.map(({ guard, term }) => ({
        guard: and(missing, guard),
        term,
      })),
    ],
  };
}

function evaluateList(
  { elements }: CoreOf<"list">,
  of: ValueOf,
): SymbolicValue | undefined {
  const literals = allKnown(
    elements.map((element) => {
      const [one, other] = of(element)?.cases ?? [];
      return !other && one?.term.kind === "constant" ? one.term : undefined;
    }),
  );
  if (literals) return always({ kind: "list", elements: literals });
  if (elements.length > MAX_ELEMENTS) return undefined;
  return combineAll(elements, of, (...terms) =>
    always({ kind: "list", elements: terms }),
  );
}

/**
 * The value of a boolean node that the solver cannot analyse: a separate variable.
 * Nodes with the same text share the variable, unless they read different elements.
 */
function opaque(node: Core, { element }: Context): SymbolicValue {
  const isOfElement = nodesOf(node).some(({ kind }) => kind === "pointer");
  const place = isOfElement && element ? ` of ${keyOfTerm(element)}` : "";
  const { mayFail, mayBeNil } = node;
  const all: Range[] = [[0n, 1n]];
  if (mayFail) all.push([2n, 2n]);
  if (mayBeNil) all.push([3n, 3n]);
  const variable: NumberVariable = {
    kind: "number",
    key: keyOf(node) + place,
    all,
    what: "result",
    node,
    isOfElement,
  };
  return fromTruth({
    defined: numberWithin(variable, [
      [0n, 1n],
      [3n, 3n],
    ]),
    isNil: mayBeNil ? numberWithin(variable, only(3n)) : NEVER,
    holds: numberWithin(variable, only(1n)),
  });
}

function evaluateElement(list: Term, key: Term): SymbolicValue | undefined {
  const at = key.kind === "constant" ? key.value : undefined;
  if (at === null) return FAILS;
  if (list.kind === "constant") return FAILS;
  if (typeof at !== "bigint") return undefined;
  if (list.kind !== "list" && list.kind !== "header") return undefined;
  if (at > MAX_INDEX || at < -MAX_INDEX) return FAILS;
  if (list.kind === "list") {
    const element = list.elements.at(Number(at));
    return element ? always(element) : FAILS;
  }
  const variable = elementVariable(list.name, Number(at));
  return always({ kind: "text", variable }, hasElement(list.name, at));
}

function evaluateCall(
  call: CoreFunction,
  first: Term,
  second: Term | undefined,
): SymbolicValue | undefined {
  switch (call.kind) {
    case "length":
      return evaluateLength(first);
    case "text": {
      const name = call.name as TextFunction;
      if (!second) return evaluateTextFunction(first, { name });
      if (second.kind !== "constant") return undefined;
      if (second.value === null) return FAILS;
      return typeof second.value === "string"
        ? evaluateTextFunction(first, { name, second: second.value })
        : undefined;
    }
    case "negative": {
      const value = first.kind === "constant" ? first.value : undefined;
      if (value === null) return FAILS;
      const isNumber = typeof value === "bigint" || typeof value === "number";
      return isNumber ? constant(-value) : undefined;
    }
    default:
      return assertNever(call);
  }
}

function evaluateLength(value: Term): SymbolicValue | undefined {
  switch (value.kind) {
    case "constant":
      if (value.value === null) return FAILS;
      return typeof value.value === "string"
        ? constant(BigInt(lengthOf(value.value)))
        : undefined;
    case "text":
      return always({
        kind: "number",
        variable: lengthVariable(value.variable),
      });
    case "header":
      return always({ kind: "number", variable: sizeVariable(value.name) });
    case "list":
      return constant(BigInt(value.elements.length));
    case "headers":
      return always({ kind: "number", variable: HEADERS });
    default:
      return undefined;
  }
}

function evaluateTextFunction(
  value: Term,
  mapping: TextMapping,
): SymbolicValue | undefined {
  if (value.kind === "text") {
    if (!rowOf(functionsOf.text, mapping.name).symbolic) return undefined;
    const variable = mappedVariable(value.variable, mapping);
    return always({ kind: "text", variable });
  }
  if (value.kind !== "constant") return undefined;
  return typeof value.value === "string"
    ? constant(applyMapping(mapping, value.value))
    : FAILS;
}

function evaluateSome(
  { condition, wanted }: CoreOf<"some">,
  list: Term,
  context: Context,
): SymbolicValue | undefined {
  if (list.kind === "header") {
    const one = elementPredicate(list.name, condition, wanted, context);
    return one && truth(exists(one));
  }
  if (list.kind !== "list" || list.elements.length > MAX_ELEMENTS)
    return undefined;
  const truths = list.elements.map((element) =>
    truthFor(element, condition, wanted, context),
  );
  return fromTruth(logicTruth(true, truths));
}

/** The condition as a predicate on the values of a header; undefined if it may fail. */
function elementPredicate(
  header: string,
  condition: Core,
  wanted: boolean,
  context: Context,
): ElementPredicate | undefined {
  const key = `${JSON.stringify(header)} ${wanted ? "" : "!"}${keyOf(condition)}`;
  const of = (variable: TextVariable, nodes: Context["nodes"]) =>
    truthFor({ kind: "text", variable }, condition, wanted, {
      ...context,
      nodes,
    });
  const before = context.nodes.left;
  const trial = of(constantVariable(""), context.nodes);
  if (trial.defined !== ALWAYS) return undefined;
  return new ElementPredicate(
    header,
    key,
    (before - context.nodes.left) * STEPS_OF_NODE,
    (element) => of(element, { left: MAX_ELEMENT_NODES }).holds,
  );
}

/** Whether the condition is `wanted` for an element. */
function truthFor(
  element: Term,
  condition: Core,
  wanted: boolean,
  context: Context,
): Truth {
  const inner = { ...context, element };
  const value = evaluateNode(condition, inner) ?? opaque(condition, inner);
  const found = strict(truthOf(value));
  return wanted ? found : notTruth(found);
}
