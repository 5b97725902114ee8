import { assertNever } from "../assert-never";
import type { Budget } from "../budget";
import {
  childrenOf,
  type CheckedExpression,
  type Node,
  type NodeOf,
  type ValueType,
} from "../language";
import { needsOf } from "../language/eval/evaluate-partly";
import { nestedQuantifiers } from "../language/eval/nested-quantifiers";
import { optimise } from "../language/eval/optimise";
import { canonicalText } from "../language/syntax/print-expression";
import type { TextFunction } from "../language/tables/functions";
import {
  fieldNamed,
  functionsOf,
  rowOf,
  valueFunctions,
} from "../language/tables/lookup";
import { lengthOf } from "../language/text/text";
import { typeOf } from "../language/types/value-type";
import { applyMapping, exists, hasElement, isMissing } from "./atoms";
import { compareSymbolically, orderSymbolically } from "./compare-symbolically";
import { evaluateField } from "./evaluate-field";
import {
  ALWAYS,
  and,
  constantVariable,
  ElementPredicate,
  elementVariable,
  HEADERS,
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
  keyOf,
  logicTruth,
  notTruth,
  strict,
  truth,
  truthOf,
  type SymbolicValue,
  type Term,
  type Truth,
} from "./symbolic-value";

/** For which requests an expression is true, for which it is false, and for which it does not fail. */
export interface SymbolicOutcome {
  readonly isTrue: Formula;
  readonly isFalse: Formula;
  readonly isDefined: Formula;
}

/**
 * Most nodes that are evaluated for one expression. The condition of a
 * quantifier counts once for each element that it is evaluated for.
 */
const MAX_NODES = 50_000;
/** Most elements of a list that are evaluated one by one. */
const MAX_ELEMENTS = 16;
/** Farthest index of a list that the solver reasons about. */
const MAX_INDEX = 2n ** 32n;
/** Most nodes of a condition that are evaluated for one element. */
const MAX_ELEMENT_NODES = 5_000;

/** The work of evaluating a node, in units of a budget. */
const WORK_OF_NODE = 30;

const known = new WeakMap<CheckedExpression, SymbolicOutcome>();

/**
 * Evaluates an expression for all requests at once. It is rewritten first as
 * expr-lang's optimiser does, as that changes where it can fail.
 * @throws BudgetSpentError
 */
export function evaluateSymbolically(
  expression: CheckedExpression,
  work: Budget,
): SymbolicOutcome {
  const found = known.get(expression);
  if (found) return found;
  work.spend(expression.types.size * WORK_OF_NODE);
  const types = new Map(expression.types);
  const typeOfNode = (node: Node) => types.get(node) ?? typeOf("boolean");
  const root = optimise(expression.root, (from, to) => {
    if (!types.has(to)) types.set(to, typeOfNode(from));
  });
  const budget = { left: MAX_NODES };
  const context = { types, typeOf: typeOfNode, budget, work };
  // Whether nested quantifiers go too far depends on how many values all of them read.
  const isNested = nestedQuantifiers(root).length > 0;
  const value =
    (isNested ? undefined : evaluateNode(root, context)) ??
    opaque(root, context);
  const { defined, isNil, holds } = truthOf(value);
  const made = {
    isTrue: and(defined, isNil.opposite, holds),
    isFalse: and(defined, or(isNil, holds.opposite)),
    isDefined: defined,
  };
  known.set(expression, made);
  return made;
}

/** What the value of a node depends on, besides the node itself. */
interface Context {
  readonly types: ReadonlyMap<Node, ValueType>;
  readonly typeOf: (node: Node) => ValueType;
  /** The element that `#` stands for; absent outside of quantifiers. */
  readonly element?: Term;
  /** How many more nodes may be evaluated. */
  readonly budget: { left: number };
  /** What the work is taken from; absent where a predicate is evaluated later, which its caller counts. */
  readonly work?: Budget;
}

type ValueOf = (node: Node) => SymbolicValue | undefined;

/**
 * The value of a node, or undefined where the solver cannot tell it. A boolean
 * node always has a value: one that cannot be told becomes a variable of its
 * own, about which nothing is concluded.
 */
function evaluateNode(root: Node, context: Context): SymbolicValue | undefined {
  const nodes = inOrder(root);
  context.budget.left -= nodes.length;
  context.work?.spend(nodes.length * WORK_OF_NODE);
  const isWithinBudget = context.budget.left >= 0;
  const values = new Map<Node, SymbolicValue | undefined>();
  const of = (node: Node) => values.get(node);
  for (const node of isWithinBudget ? nodes : [root]) {
    const value = isWithinBudget ? valueOfNode(node, of, context) : undefined;
    const isBoolean = context.typeOf(node).kind === "boolean";
    values.set(
      node,
      isBoolean && !(value && isTruthValue(value))
        ? opaque(node, context)
        : value,
    );
  }
  return values.get(root);
}

/**
 * The nodes under a root and the root itself, children before their parents.
 * The conditions of quantifiers are left out. A loop instead of a recursion
 * keeps deep expressions off the stack.
 */
function inOrder(root: Node): Node[] {
  const nodes: Node[] = [];
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    nodes.push(node);
    open.push(...(node.kind === "quantifier" ? [node.list] : childrenOf(node)));
  }
  return nodes.reverse();
}

function valueOfNode(
  node: Node,
  of: ValueOf,
  context: Context,
): SymbolicValue | undefined {
  switch (node.kind) {
    case "boolean":
    case "string":
    case "integer":
    case "float":
      return constant(node.value);
    case "nil":
      return constant(null);
    case "name":
      return undefined;
    case "pointer":
      return context.element && always(context.element);
    case "member":
      return evaluateMember(node, of, context.typeOf(node).name);
    case "unary":
      return evaluateUnary(node, of(node.operand));
    case "binary":
      return combineAll([node.left, node.right], of, (left, right) =>
        compareSymbolically(node, context.typeOf, left, right),
      );
    case "order":
      return evaluateChain(node, of);
    case "logical": {
      const values = node.operands.map(of).filter((one) => one !== undefined);
      return values.length === node.operands.length
        ? fromTruth(logicTruth(node.operator, values.map(truthOf)))
        : undefined;
    }
    case "coalesce":
      return combineAll([node.left], of, (left) =>
        coalesced(left, of(node.right)),
      );
    case "conditional":
      return combineAll([node.condition], of, (condition) => {
        if (condition.kind !== "constant") return undefined;
        if (condition.value === null) return FAILS;
        const { consequent, alternate } = node;
        if (!condition.value) return of(alternate);
        return consequent ? of(consequent) : always(condition);
      });
    case "list":
      return evaluateList(node, of);
    case "call":
      return evaluateCall(node, node.args.map(of));
    case "quantifier":
      return evaluateQuantifier(node, of(node.list), context);
    default:
      return assertNever(node);
  }
}

function combineAll(
  nodes: readonly Node[],
  of: ValueOf,
  make: (...terms: Term[]) => SymbolicValue | undefined,
): SymbolicValue | undefined {
  const parts = nodes.map(of).filter((part) => part !== undefined);
  return parts.length === nodes.length ? combine(parts, make) : undefined;
}

function evaluateUnary(
  { operator }: NodeOf<"unary">,
  operand: SymbolicValue | undefined,
): SymbolicValue | undefined {
  if (!operand || operator === "+") return operand;
  if (operator === "!") return fromTruth(notTruth(truthOf(operand)));
  return combine([operand], (term) => {
    const value = term.kind === "constant" ? term.value : undefined;
    if (value === null) return FAILS;
    const isNumber = typeof value === "bigint" || typeof value === "number";
    return isNumber ? constant(-value) : undefined;
  });
}

/** Every operand of a chain is compared with the next one, until a comparison is false. */
function evaluateChain(
  { operators, operands }: NodeOf<"order">,
  of: ValueOf,
): SymbolicValue | undefined {
  const pairs = operators.map((operator, i) =>
    combineAll(operands.slice(i, i + 2), of, (left, right) =>
      orderSymbolically(operator, left, right),
    ),
  );
  const told = pairs.filter((pair) => pair !== undefined);
  return told.length === pairs.length
    ? fromTruth(logicTruth("&&", told.map(truthOf)))
    : undefined;
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
  { elements }: NodeOf<"list">,
  of: ValueOf,
): SymbolicValue | undefined {
  const literals = elements.map((element) => {
    const cases = of(element)?.cases ?? [];
    const [one] = cases;
    return cases.length === 1 && one?.term.kind === "constant"
      ? one.term
      : undefined;
  });
  const told = literals.filter((literal) => literal !== undefined);
  if (told.length === elements.length)
    return always({ kind: "list", elements: told });
  if (elements.length > MAX_ELEMENTS) return undefined;
  return combineAll(elements, of, (...terms) =>
    always({ kind: "list", elements: terms }),
  );
}

/**
 * The value of a boolean node that the solver cannot tell more about: a variable
 * of its own. Two nodes of one text share it, unless they read different
 * elements.
 */
function opaque(node: Node, context: Context): SymbolicValue {
  const { typeOf, types, element } = context;
  const isOfElement = inOrder(node).some(({ kind }) => kind === "pointer");
  const place = isOfElement && element ? ` of ${keyOf(element)}` : "";
  const all: Range[] = [[0n, 1n]];
  if (needsOf(node, typeOf).canFail) all.push([2n, 2n]);
  if (typeOf(node).nullable) all.push([3n, 3n]);
  const variable: NumberVariable = {
    kind: "number",
    key: canonicalText(node) + place,
    all,
    what: "outcome",
    node,
    types,
    isOfElement,
  };
  return fromTruth({
    defined: numberWithin(variable, [
      [0n, 1n],
      [3n, 3n],
    ]),
    isNil: typeOf(node).nullable ? numberWithin(variable, only(3n)) : NEVER,
    holds: numberWithin(variable, only(1n)),
  });
}

function evaluateMember(
  { object, property }: NodeOf<"member">,
  of: ValueOf,
  name: string | undefined,
): SymbolicValue | undefined {
  if (name !== undefined) {
    const field = fieldNamed(name);
    return field && evaluateField(field);
  }
  const [list, key] = [of(object), of(property)];
  return list && key && combine([list, key], evaluateElement);
}

function evaluateElement(list: Term, key: Term): SymbolicValue | undefined {
  const at = key.kind === "constant" ? key.value : undefined;
  if (list.kind === "headers")
    return typeof at === "string"
      ? always({ kind: "header", name: at })
      : undefined;
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
  { name }: NodeOf<"call">,
  args: readonly (SymbolicValue | undefined)[],
): SymbolicValue | undefined {
  const told = args.filter((arg) => arg !== undefined);
  if (told.length < args.length) return undefined;
  const row = rowOf(valueFunctions, name);
  return combine(told, (first, second) => {
    switch (row.kind) {
      case "network":
        return first.kind === "constant" && typeof first.value === "string"
          ? always({ kind: "network", addresses: addressRanges(first.value) })
          : undefined;
      case "length":
        return evaluateLength(first);
      case "text": {
        const name = row.name as TextFunction;
        if (!second) return evaluateTextFunction(first, { name });
        if (second.kind !== "constant") return undefined;
        if (second.value === null) return FAILS;
        return typeof second.value === "string"
          ? evaluateTextFunction(first, {
              name,
              second: second.value,
            })
          : undefined;
      }
      default:
        return assertNever(row);
    }
  });
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
    case "filtered":
      return always({ kind: "matches", predicate: value.predicate });
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

function evaluateQuantifier(
  { name, condition }: NodeOf<"quantifier">,
  list: SymbolicValue | undefined,
  context: Context,
): SymbolicValue | undefined {
  if (!list || !condition) return undefined;
  const row = rowOf(functionsOf.quantifier, name);
  return combine([list], (term) => {
    if (row.result === "boolean") {
      const some = someTruth(term, condition, row.negatesCondition, context);
      return some && fromTruth(row.negatesResult ? notTruth(some) : some);
    }
    if (term.kind !== "header") return undefined;
    const predicate = elementPredicate(term.name, condition, false, context);
    const kind = row.result === "list" ? "filtered" : "matches";
    return predicate && always({ kind, predicate });
  });
}

/** Whether some element of a list meets a condition, or the opposite of the condition. */
function someTruth(
  list: Term,
  condition: Node,
  isNegated: boolean,
  context: Context,
): Truth | undefined {
  if (list.kind === "header") {
    const one = elementPredicate(list.name, condition, isNegated, context);
    return one && truthOf(truth(exists(one)));
  }
  if (list.kind !== "list" || list.elements.length > MAX_ELEMENTS)
    return undefined;
  const truths = list.elements.map((element) =>
    truthFor(element, condition, isNegated, context),
  );
  return logicTruth("||", truths);
}

/** The condition as a predicate on the values of a header; undefined where it may fail. */
function elementPredicate(
  header: string,
  condition: Node,
  isNegated: boolean,
  context: Context,
): ElementPredicate | undefined {
  const key = `${JSON.stringify(header)} ${isNegated ? "!" : ""}${canonicalText(condition)}`;
  const of = (
    variable: TextVariable,
    later: Pick<Context, "budget" | "work">,
  ) =>
    truthFor({ kind: "text", variable }, condition, isNegated, {
      ...context,
      ...later,
    });
  const before = context.budget.left;
  const trial = of(constantVariable(""), context);
  if (trial.defined !== ALWAYS) return undefined;
  return new ElementPredicate(
    header,
    key,
    (before - context.budget.left) * WORK_OF_NODE,
    (element) => {
      const budget = { left: MAX_ELEMENT_NODES };
      return of(element, { budget, work: undefined }).holds;
    },
  );
}

function truthFor(
  element: Term,
  condition: Node,
  isNegated: boolean,
  context: Context,
): Truth {
  const inner = { ...context, element };
  const value = evaluateNode(condition, inner) ?? opaque(condition, inner);
  const found = strict(truthOf(value));
  return isNegated ? notTruth(found) : found;
}
