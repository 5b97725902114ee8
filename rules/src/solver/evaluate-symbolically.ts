import { assertNever } from "../assert-never";
import {
  childrenOf,
  type CheckedExpression,
  type Node,
  type NodeOf,
  type ValueType,
} from "../language";
import { needsOf } from "../language/eval/evaluate-partly";
import { optimise } from "../language/eval/optimise";
import { canonicalHeaderName } from "../language/request/header-names";
import { canonicalText } from "../language/syntax/print-expression";
import { lengthOf } from "../language/text/text";
import { typeOf } from "../language/types/value-type";
import { applyChange, exists, hasElement, isMissing, isOneOf } from "./atoms";
import { comparisonMeaning, orderMeaning } from "./compare-symbolically";
import {
  ALWAYS,
  and,
  changedSubject,
  constantSubject,
  ElementCondition,
  elementSubject,
  fieldSubject,
  flagSubject,
  HEADERS,
  lengthSubject,
  NEVER,
  numberWithin,
  or,
  sizeSubject,
  type Change,
  type Formula,
  type NumberSubject,
  type TextSubject,
} from "./formula";
import { addressRanges, only, type Range } from "./integer-set";
import {
  always,
  combine,
  constant,
  FAILS,
  fromTruth,
  logicTruth,
  notTruth,
  strict,
  truth,
  truthOf,
  type Meaning,
  type Operand,
  type Truth,
} from "./symbolic-value";

/** For which requests an expression is true, and for which it does not fail. */
export interface ExpressionMeaning {
  readonly isTrue: Formula;
  readonly isFalse: Formula;
  readonly isDefined: Formula;
}

/** Most nodes that are looked at for one expression, those of quantified conditions each time. */
const MAX_NODES = 50_000;

const known = new WeakMap<CheckedExpression, ExpressionMeaning>();

/** The meaning of an expression, as it is evaluated: after what expr-lang's optimiser does. */
export function expressionMeaning(
  expression: CheckedExpression,
): ExpressionMeaning {
  const found = known.get(expression);
  if (found) return found;
  const types = new Map(expression.types);
  const typeOfNode = (node: Node) => types.get(node) ?? typeOf("boolean");
  const root = optimise(expression.root, (from, to) => {
    if (!types.has(to)) types.set(to, typeOfNode(from));
  });
  const meaning = nodeMeaning(root, {
    types,
    typeOf: typeOfNode,
    element: undefined,
    depth: 0,
    budget: { left: MAX_NODES },
  });
  const { defined, isNil, holds } = truthOf(meaning ?? FAILS);
  const made = {
    isTrue: and(defined, isNil.opposite, holds),
    isFalse: and(defined, or(isNil, holds.opposite)),
    isDefined: defined,
  };
  known.set(expression, made);
  return made;
}

/** What the meaning of a node depends on, besides the node. */
export interface Context {
  readonly types: ReadonlyMap<Node, ValueType>;
  readonly typeOf: (node: Node) => ValueType;
  /** What `#` is; undefined outside of quantifiers. */
  readonly element: Operand | undefined;
  /** How many quantifiers are around. */
  readonly depth: number;
  /** How many nodes may still be looked at. */
  readonly budget: { left: number };
}

/** Most elements of a list that holds more than literals. */
const MAX_ELEMENTS = 16;

/** The meaning of an expression; undefined where it cannot be told. A boolean one always has one. */
export function nodeMeaning(root: Node, context: Context): Meaning | undefined {
  const isBoolean = (node: Node) => context.typeOf(node).kind === "boolean";
  const nodes = inOrder(root);
  context.budget.left -= nodes.length;
  if (context.budget.left < 0)
    return isBoolean(root) ? outcome(root, context) : undefined;
  const known = new Map<Node, Meaning | undefined>();
  const of = (node: Node) => known.get(node);
  for (const node of nodes)
    known.set(
      node,
      meaningOf(node, of, context) ??
        (isBoolean(node) ? outcome(node, context) : undefined),
    );
  return known.get(root);
}

/** Children before their parents, without the conditions of quantifiers. It takes no stack. */
function inOrder(root: Node): Node[] {
  const nodes: Node[] = [];
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    nodes.push(node);
    open.push(...(node.kind === "quantifier" ? [node.list] : childrenOf(node)));
  }
  return nodes.reverse();
}

type Of = (node: Node) => Meaning | undefined;

function meaningOf(node: Node, of: Of, context: Context): Meaning | undefined {
  switch (node.kind) {
    case "boolean":
    case "string":
    case "integer":
    case "float":
      return constant(node.value);
    case "nil":
      return constant(null);
    case "name":
      return always({ kind: "group" });
    case "pointer":
      return context.element && always(context.element);
    case "member":
      return memberMeaning(node, of, context.typeOf(node).name);
    case "unary":
      return unaryMeaning(node, of(node.operand));
    case "binary":
      return combineAll([node.left, node.right], of, (left, right) =>
        comparisonMeaning(node, context.typeOf, left, right),
      );
    case "order":
      return chainMeaning(node, of);
    case "logical": {
      const truths = node.operands.map((operand) =>
        truthOf(of(operand) ?? FAILS),
      );
      return fromTruth(logicTruth(node.operator, truths));
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
      return listMeaning(node, of);
    case "call":
      return callMeaning(node, node.args.map(of));
    case "quantifier":
      return quantifierMeaning(node, of(node.list), context);
    default:
      return assertNever(node);
  }
}

function combineAll(
  nodes: readonly Node[],
  of: Of,
  make: (...operands: Operand[]) => Meaning | undefined,
): Meaning | undefined {
  const parts = nodes.map(of).filter((part) => part !== undefined);
  return parts.length === nodes.length ? combine(parts, make) : undefined;
}

function unaryMeaning(
  { operator }: NodeOf<"unary">,
  operand: Meaning | undefined,
): Meaning | undefined {
  if (!operand || operator === "+") return operand;
  if (operator === "!") return fromTruth(notTruth(truthOf(operand)));
  return combine([operand], (one) => {
    const value = one.kind === "constant" ? one.value : undefined;
    if (value === null) return FAILS;
    const isNumber = typeof value === "bigint" || typeof value === "number";
    return isNumber ? constant(-value) : undefined;
  });
}

/** Each with its neighbour, up to the first that fails. */
function chainMeaning(
  { operators, operands }: NodeOf<"order">,
  of: Of,
): Meaning | undefined {
  const pairs = operators.map((operator, i) =>
    combineAll(operands.slice(i, i + 2), of, (left, right) =>
      orderMeaning(operator, left, right),
    ),
  );
  const known = pairs.filter((pair) => pair !== undefined);
  return known.length === pairs.length
    ? fromTruth(logicTruth("&&", known.map(truthOf)))
    : undefined;
}

function coalesced(
  left: Operand,
  right: Meaning | undefined,
): Meaning | undefined {
  if (left.kind === "constant" && left.value === null) return right;
  if (left.kind !== "header") return always(left);
  if (!right) return undefined;
  const missing = isMissing(left.name);
  return {
    defined: or(missing.opposite, right.defined),
    cases: [
      { when: missing.opposite, operand: left },
      ...right.cases.map(({ when, operand }) => ({
        when: and(missing, when),
        operand,
      })),
    ],
  };
}

function listMeaning(
  { elements }: NodeOf<"list">,
  of: Of,
): Meaning | undefined {
  const literals = elements.map((element) => {
    const cases = of(element)?.cases ?? [];
    const [one] = cases;
    return cases.length === 1 && one?.operand.kind === "constant"
      ? one.operand
      : undefined;
  });
  const known = literals.filter((literal) => literal !== undefined);
  if (known.length === elements.length)
    return always({ kind: "list", elements: known });
  if (elements.length > MAX_ELEMENTS) return undefined;
  return combineAll(elements, of, (...operands) =>
    always({ kind: "list", elements: operands }),
  );
}

/** What a boolean expression comes to of which no more is known. */
function outcome(node: Node, context: Context): Meaning {
  const { typeOf, types, element } = context;
  const isOfElement = inOrder(node).some(({ kind }) => kind === "pointer");
  const place = isOfElement ? ` of ${element ? keyOf(element) : ""}` : "";
  const all: Range[] = [[0n, 1n]];
  if (needsOf(node, typeOf).canFail) all.push([2n, 2n]);
  if (typeOf(node).nullable) all.push([3n, 3n]);
  const subject: NumberSubject = {
    kind: "number",
    key: canonicalText(node) + place,
    all,
    what: "outcome",
    node,
    types,
    isOfElement,
  };
  return fromTruth({
    defined: numberWithin(subject, [
      [0n, 1n],
      [3n, 3n],
    ]),
    isNil: typeOf(node).nullable ? numberWithin(subject, only(3n)) : NEVER,
    holds: numberWithin(subject, only(1n)),
  });
}

function keyOf(element: Operand): string {
  if (element.kind === "text") return element.subject.key;
  return element.kind === "constant"
    ? `${typeof element.value} ${String(element.value)}`
    : element.kind;
}

/** Farthest place in a list that is told apart. */
const MAX_INDEX = 2n ** 32n;

/** The meaning of `object.property` and `object[property]`; undefined where it cannot be told. */
export function memberMeaning(
  { object, property }: NodeOf<"member">,
  of: (node: Node) => Meaning | undefined,
  field: string | undefined,
): Meaning | undefined {
  if (field !== undefined) return fieldMeaning(field);
  const [list, key] = [of(object), of(property)];
  return list && key && combine([list, key], elementMeaning);
}

function fieldMeaning(name: string): Meaning {
  switch (name) {
    case "http.user_agent.is_ai_bot":
      return truth(numberWithin(flagSubject("isAiBot"), only(1n)));
    case "http.user_agent.is_crawler_bot":
      return truth(numberWithin(flagSubject("isCrawlerBot"), only(1n)));
    case "http.user_agent.string":
      return text("userAgent");
    case "http.request.headers":
      return always({ kind: "headers" });
    case "http.request.ip":
      return always({ kind: "ip" });
    case "sdk.platform.name":
      return text("sdkPlatform");
    case "sdk.version":
      return text("sdkVersion");
    case "sdk.platform.app_package_name":
      return text("appPackageName");
    case "sdk.platform.is_android":
      return truth(isPlatform("android"));
    case "sdk.platform.is_browser":
      return truth(isPlatform("js"));
    case "sdk.platform.is_ios":
      return truth(isPlatform("ios"));
    case "sdk.platform.is_unknown":
      return truth(isPlatform("unknown"));
    default:
      return always({ kind: "group" });
  }
}

function text(field: Parameters<typeof fieldSubject>[0]): Meaning {
  return always({ kind: "text", subject: fieldSubject(field) });
}

function isPlatform(...names: string[]): Formula {
  return isOneOf(fieldSubject("sdkPlatform"), names);
}

function elementMeaning(list: Operand, key: Operand): Meaning | undefined {
  const at = key.kind === "constant" ? key.value : undefined;
  if (list.kind === "headers")
    return typeof at === "string"
      ? always({ kind: "header", name: canonicalHeaderName(at) })
      : undefined;
  if (at === null) return FAILS;
  if (list.kind === "constant") return FAILS;
  if (typeof at !== "bigint") return undefined;
  if (at > MAX_INDEX || at < -MAX_INDEX) return FAILS;
  if (list.kind === "list") {
    const element = list.elements.at(Number(at));
    return element ? always(element) : FAILS;
  }
  if (list.kind !== "header") return undefined;
  const subject = elementSubject(list.name, Number(at));
  return always({ kind: "text", subject }, hasElement(list.name, at));
}

/** The meaning of a call, of its arguments' meanings; undefined where it cannot be told. */
export function callMeaning(
  { name }: NodeOf<"call">,
  args: readonly (Meaning | undefined)[],
): Meaning | undefined {
  const known = args.filter((arg) => arg !== undefined);
  if (known.length < args.length) return undefined;
  return combine(known, (value, second) => {
    switch (name) {
      case "cidr":
        return value.kind === "constant" && typeof value.value === "string"
          ? always({ kind: "network", addresses: addressRanges(value.value) })
          : undefined;
      case "len":
        return lengthMeaning(value);
      case "lower":
      case "upper":
        return changedMeaning(value, { name });
      case "trim": {
        const cutset = second?.kind === "constant" ? second.value : second;
        if (cutset === null) return FAILS;
        if (cutset === undefined) return changedMeaning(value, { name });
        return typeof cutset === "string"
          ? changedMeaning(value, { name, cutset })
          : undefined;
      }
      default:
        return assertNever(name);
    }
  });
}

function lengthMeaning(value: Operand): Meaning | undefined {
  switch (value.kind) {
    case "constant":
      if (value.value === null) return FAILS;
      return typeof value.value === "string"
        ? constant(BigInt(lengthOf(value.value)))
        : undefined;
    case "text":
      return always({ kind: "number", subject: lengthSubject(value.subject) });
    case "header":
      return always({ kind: "number", subject: sizeSubject(value.name) });
    case "list":
      return constant(BigInt(value.elements.length));
    case "headers":
      return always({ kind: "number", subject: HEADERS });
    case "filtered":
      return always({ kind: "matches", condition: value.condition });
    default:
      return undefined;
  }
}

function changedMeaning(value: Operand, change: Change): Meaning | undefined {
  if (value.kind === "text")
    return always({
      kind: "text",
      subject: changedSubject(value.subject, change),
    });
  if (value.kind !== "constant") return undefined;
  return typeof value.value === "string"
    ? constant(applyChange(change, value.value))
    : FAILS;
}

/** Quantifiers within each other that are followed. */
const MAX_DEPTH = 3;
/** Most nodes of a condition that are looked at for one element. */
const MAX_ELEMENT_NODES = 5_000;
/** Elements of a list of literals that are looked at one by one. */
const MAX_UNROLLED = 16;

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
  if (list.kind !== "list" || list.elements.length > MAX_UNROLLED)
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
  const of = (subject: TextSubject, budget = { left: MAX_ELEMENT_NODES }) =>
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
