import { allKnown } from "../all-known";
import { assertNever } from "../assert-never";
import { childrenFirst, type KindsOf } from "../children-first";
import type { CheckedExpression } from "../language";
import {
  type ConstantValue,
  type Core,
  type CoreFunction,
  type CoreOf,
  hasNestedLoop,
  keyOf,
  nodesOf,
  operandsOf,
} from "../core/core";
import { coreOf } from "../core/lower";
import { areEqual, isLess } from "../eval/compile-expression";
import { onceFor } from "../once-for";
import type { Field } from "../language/tables/fields";
import type { TextFunction } from "../language/tables/functions";
import type { OrderOperatorRow } from "../language/tables/operators";
import { fieldNamed, functionsOf, rowOf } from "../language/tables/lookup";
import { lengthOf } from "../language/text/text";
import {
  applyMapping,
  exists,
  hasElement,
  isMissing,
  isOneOf,
  isSomeValue,
  isTrue,
  joined,
  textMatches,
  textsRelate,
  ALWAYS,
  and,
  booleanVariable,
  constantVariable,
  ElementPredicate,
  elementVariable,
  fieldVariable,
  IP,
  LENGTHS,
  lengthVariable,
  mappedVariable,
  NEVER,
  numberWithin,
  or,
  sizeVariable,
  TRUTHS,
  type Formula,
  type NumberVariable,
  type TextVariable,
} from "./formula";
import {
  addressRanges,
  includes,
  intersection,
  type IntegerSet,
  only,
  type Range,
} from "./integer-set";

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
    const { defined } = value;
    const holds = holdsOf(value);
    return {
      isTrue: and(defined, holds),
      isFalse: and(defined, holds.opposite),
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
 * that is never nil always has a value: if it cannot be analysed, it becomes a variable
 * without constraints.
 */
function evaluateNode(root: Core, context: Context): SymbolicValue | undefined {
  const nodes = childrenFirst(root, evaluatedFirst);
  context.nodes.left -= nodes.length;
  const isWithinLimit = context.nodes.left >= 0;
  const values = new Map<Core, SymbolicValue | undefined>();
  const of = (node: Core) => values.get(node);
  for (const node of isWithinLimit ? nodes : [root]) {
    const value = isWithinLimit ? valueOfNode(node, of, context) : undefined;
    const isCondition = node.isBoolean && !node.mayBeNil;
    const isKnown = value && (!node.isBoolean || value.term.kind === "truth");
    values.set(
      node,
      isKnown ? value : isCondition ? opaque(node, context) : undefined,
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
      return apply([node.name], of, (name) =>
        name.kind === "constant" && typeof name.value === "string"
          ? always({ kind: "header", name: name.value })
          : undefined,
      );
    case "network":
      return truth(numberWithin(IP, addressRanges(node.network)));
    case "list":
      // A long list of values that are not given is asked about as a whole.
      return node.elements.length > MAX_ELEMENTS &&
        node.elements.some((element) => element.kind !== "constant")
        ? undefined
        : apply(node.elements, of, (...elements) =>
            always({ kind: "list", elements }),
          );
    case "element":
      return apply([node.list, node.index], of, evaluateElement);
    case "call":
      return apply(node.args, of, (first, second) =>
        evaluateCall(node.call, first, second),
      );
    case "text":
    case "matches":
    case "equal":
    case "in":
      return apply(operandsOf(node), of, (left, right) =>
        truthWhere(compared(node, left, right)),
      );
    case "order":
      return evaluateChain(node, of);
    case "some":
      return apply([node.list], of, (list) =>
        evaluateSome(node, list, context),
      );
    case "filter":
      return undefined;
    case "not": {
      const operand = of(node.operand);
      return operand && negated(operand);
    }
    case "logical": {
      const values = allKnown(node.operands.map(of));
      return values && combined(node.decides, values);
    }
    case "if": {
      const [yes, no] = [of(node.consequent), of(node.alternate)];
      return apply([node.condition], of, (condition) =>
        yes && no && condition.kind === "truth"
          ? chosen(condition.holds, yes, no)
          : undefined,
      );
    }
    case "coalesce":
      return apply([node.left], of, (left) => {
        const right = of(node.right);
        if (left.kind === "constant" && left.value === null) return right;
        if (left.kind !== "header") return always(left);
        return right && chosen(isMissing(left.name), right, always(left));
      });
    default:
      return assertNever(node);
  }
}

/** What the `symbolic` of a field's row says. */
function evaluateField(field: Field): SymbolicValue | undefined {
  const { type, symbolic } = field;
  if (symbolic?.kind === "equals") {
    const other = fieldNamed(symbolic.field);
    return other && truth(isOneOf(fieldVariable(other), [symbolic.value]));
  }
  if (symbolic && type === "string")
    return always({ kind: "text", variable: fieldVariable(field) });
  return symbolic && type === "boolean"
    ? truth(isTrue(booleanVariable(field)))
    : undefined;
}

/**
 * The value of a node whose operands are evaluated first; `make` gives it for one choice of
 * their terms. Undefined if an operand or the result cannot be analysed, or if there are too
 * many choices.
 */
function apply(
  nodes: readonly Core[],
  of: ValueOf,
  make: (...terms: Term[]) => SymbolicValue | undefined,
): SymbolicValue | undefined {
  const parts = allKnown(nodes.map(of));
  if (!parts || casesOf(...parts.map(({ term }) => term)) > MAX_CASES)
    return undefined;
  if (parts.some(({ defined }) => defined === NEVER)) return FAILS;
  const each = (...terms: Term[]): SymbolicValue | undefined => {
    const at = terms.findIndex(({ kind }) => kind === "choice");
    const choice = terms[at];
    if (choice?.kind !== "choice") return make(...terms);
    const yes = each(...terms.with(at, choice.yes));
    const no = each(...terms.with(at, choice.no));
    return yes && no && chosen(choice.where, yes, no);
  };
  const made = each(...parts.map(({ term }) => term));
  return (
    made && {
      ...made,
      defined: and(...parts.map(({ defined }) => defined), made.defined),
    }
  );
}

/** One value where a formula holds, and another value elsewhere. */
function chosen(
  where: Formula,
  yes: SymbolicValue,
  no: SymbolicValue,
): SymbolicValue | undefined {
  const either = (a: Formula, b: Formula) =>
    a === b ? a : or(and(where, a), and(where.opposite, b));
  const defined = either(yes.defined, no.defined);
  const [one, other] = [yes.term, no.term];
  if (yes.defined === NEVER) return always(other, defined);
  if (no.defined === NEVER) return always(one, defined);
  if (one.kind === "truth" && other.kind === "truth")
    return truth(either(one.holds, other.holds), defined);
  if (casesOf(one) + casesOf(other) > MAX_CASES) return undefined;
  return always({ kind: "choice", where, yes: one, no: other }, defined);
}

/** Most choices of one value. The solver cannot tell a value that has more. */
const MAX_CASES = 64;

/** Between how many combinations some terms choose. */
const casesOf = (...terms: Term[]): number =>
  terms.reduce(
    (count, term) =>
      term.kind === "choice"
        ? count * (casesOf(term.yes) + casesOf(term.no))
        : count,
    1,
  );

/** Every operand of a chain is compared with the next one, until a comparison is false. */
function evaluateChain(
  { operators, operands }: CoreOf<"order">,
  of: ValueOf,
): SymbolicValue | undefined {
  const pairs = allKnown(
    operators.map((operator, i) =>
      apply(operands.slice(i, i + 2), of, (left, right) =>
        truthWhere(ordered(operator, left, right)),
      ),
    ),
  );
  return pairs && combined(false, pairs);
}

/**
 * The value of a boolean node that the solver cannot analyse: a separate variable.
 * Nodes with the same text share the variable, unless they read different elements. Of
 * a whole expression, nil counts as false.
 */
function opaque(node: Core, { element }: Context): SymbolicValue {
  const isOfElement = nodesOf(node).some(({ kind }) => kind === "pointer");
  const place = isOfElement && element ? ` of ${keyOfTerm(element)}` : "";
  const variable: NumberVariable = {
    kind: "number",
    key: keyOf(node) + place,
    all: [[0n, node.mayFail ? 2n : 1n]],
    what: "result",
    node,
    isOfElement,
  };
  return truth(
    numberWithin(variable, only(1n)),
    numberWithin(variable, TRUTHS),
  );
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
  if (call.kind === "length") return evaluateLength(first);
  return call.kind === "text" && !second
    ? evaluateTextFunction(first, call.name as TextFunction)
    : undefined;
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
    default:
      return undefined;
  }
}

function evaluateTextFunction(
  value: Term,
  name: TextFunction,
): SymbolicValue | undefined {
  if (value.kind === "text") {
    if (!rowOf(functionsOf.text, name).symbolic) return undefined;
    const variable = mappedVariable(value.variable, name);
    return always({ kind: "text", variable });
  }
  if (value.kind !== "constant") return undefined;
  return typeof value.value === "string"
    ? constant(applyMapping(name, value.value))
    : FAILS;
}

function evaluateSome(
  { condition, wanted }: CoreOf<"some">,
  list: Term,
  context: Context,
): SymbolicValue | undefined {
  if (condition.mayBeNil) return undefined;
  if (list.kind === "header") {
    const one = elementPredicate(list.name, condition, wanted, context);
    return one && truth(exists(one));
  }
  if (list.kind !== "list" || list.elements.length > MAX_ELEMENTS)
    return undefined;
  const results = list.elements.map((element) =>
    resultFor(element, condition, wanted, context),
  );
  return combined(true, results);
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
    resultFor({ kind: "text", variable }, condition, wanted, {
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
    (element) => holdsOf(of(element, { left: MAX_ELEMENT_NODES })),
  );
}

/** Whether the condition is `wanted` for an element. */
function resultFor(
  element: Term,
  condition: Core,
  wanted: boolean,
  context: Context,
): SymbolicValue {
  const inner = { ...context, element };
  const value = evaluateNode(condition, inner) ?? opaque(condition, inner);
  return wanted ? value : negated(value);
}

/** Where a comparison holds; undefined if the solver cannot tell. */
type Compared = Formula | "fails" | undefined;

const truthWhere = (holds: Compared): SymbolicValue | undefined =>
  holds === "fails" ? FAILS : holds && truth(holds);

/** Compares two terms; `matches` has only the left one. */
function compared(
  node: CoreOf<"text" | "matches" | "equal" | "in">,
  left: Term,
  right: Term,
): Compared {
  const isNil = [left, right].some((term) => constantOf(term) === null);
  const [a, b] = [left, right].map(textOf);
  switch (node.kind) {
    case "text":
      if (isNil) return NEVER;
      return a === undefined || b === undefined
        ? undefined
        : textsRelate(node.operator.place, a, b);
    case "matches": {
      if (isNil) return NEVER;
      if (typeof a !== "string") return a && textMatches(a, node.pattern);
      const { cost, test } = node.read;
      if (a.length * cost > MAX_PATTERN_STEPS) return undefined;
      return test(a) ? ALWAYS : NEVER;
    }
    case "equal":
      return node.failsOnNil && isNil ? "fails" : equal(left, right);
    case "in":
      return isIn(left, right);
  }
}

/** Most steps of trying a pattern on a given text. */
const MAX_PATTERN_STEPS = 10_000;

const constantOf = (term: Term | undefined) =>
  term?.kind === "constant" ? term.value : undefined;

/** The text that a term stands for: a variable, or a given text. */
function textOf(term: Term | undefined): TextVariable | string | undefined {
  if (term?.kind === "text") return term.variable;
  const value = constantOf(term);
  return typeof value === "string" ? value : undefined;
}

function equal(left: Term, right: Term): Formula | undefined {
  if (left.kind === "truth" && right.kind === "truth")
    return or(
      and(left.holds, right.holds),
      and(left.holds.opposite, right.holds.opposite),
    );
  const [a, b] = rank(left) <= rank(right) ? [left, right] : [right, left];
  const value = constantOf(a);
  if (value !== undefined && b.kind === "constant")
    return areEqual(value, b.value) ? ALWAYS : NEVER;
  const [x, y] = [textOf(a), textOf(b)];
  if (x !== undefined && y !== undefined) return textsRelate("==", x, y);
  if (value === null && b.kind === "header") return isMissing(b.name);
  if (value !== undefined && b.kind === "number")
    return numberRelates(b, "==", value);
  if (a.kind === b.kind)
    return keyOfTerm(a) === keyOfTerm(b) ? ALWAYS : undefined;
  // Values of different kinds are never equal. A header that was not sent equals nil.
  return a.kind === "list" && b.kind === "header" ? undefined : NEVER;
}

/** A rank by which a pair of terms is put in order, so that `equal` handles each pair once. */
const rank = ({ kind }: Term) =>
  ["constant", "truth", "text", "number", "list", "header"].indexOf(kind);

function isIn(needle: Term, list: Term): Formula | undefined {
  const text = textOf(needle);
  if (list.kind === "constant") return NEVER;
  if (list.kind === "header")
    // The values of a header are strings.
    return typeof text === "string"
      ? isSomeValue(list.name, text)
      : text || needle.kind === "header"
        ? undefined
        : NEVER;
  if (list.kind !== "list") return undefined;
  const texts = allKnown(
    list.elements.map((element) => {
      const one = textOf(element);
      return typeof one === "string" ? one : undefined;
    }),
  );
  if (typeof text === "object" && texts) return isOneOf(text, texts);
  const equals = allKnown(list.elements.map((one) => equal(one, needle)));
  return equals && or(...equals);
}

function ordered(
  { isSwapped, isNegated }: OrderOperatorRow,
  left: Term,
  right: Term,
): Compared {
  const less = isSwapped ? isLessTerm(right, left) : isLessTerm(left, right);
  return isNegated && typeof less === "object" ? less.opposite : less;
}

function isLessTerm(a: Term, b: Term): Compared {
  const [one, other] = [constantOf(a), constantOf(b)];
  if (one !== undefined && other !== undefined) {
    const less = isLess(one, other);
    return less === undefined ? "fails" : less ? ALWAYS : NEVER;
  }
  if (one === null || other === null) return "fails";
  const [x, y] = [textOf(a), textOf(b)];
  if (x !== undefined && y !== undefined) return textsRelate("below", x, y);
  if (other !== undefined) return numberRelates(a, "<", other);
  if (one !== undefined) return numberRelates(b, ">", one);
  const isSame = a.kind === "number" && keyOfTerm(a) === keyOfTerm(b);
  return isSame ? NEVER : undefined;
}

/** Where a number compares with a given one; undefined for a term that is no number. */
function numberRelates(
  term: Term,
  comparison: "==" | "<" | ">",
  value: ConstantValue,
): Formula | undefined {
  if (term.kind !== "number") return undefined;
  const within = comparedTo(comparison, value);
  const { variable } = term;
  // The size of a header that was not sent is -1, and its length is 0.
  const isZero = variable.what === "size" && includes(within, 0n);
  return numberWithin(variable, isZero ? [[-1n, -1n], ...within] : within);
}

/** The natural numbers for which a comparison with a given number holds. */
function comparedTo(
  comparison: "==" | "<" | ">",
  value: ConstantValue,
): IntegerSet {
  if (typeof value !== "bigint" && typeof value !== "number") return [];
  const isInteger = typeof value === "bigint" || Number.isInteger(value);
  if (comparison === "==" && !isInteger) return [];
  // Beyond these bounds, a number compares with every length in the same way.
  const floor =
    typeof value === "bigint"
      ? value
      : BigInt(Math.max(-1e12, Math.min(1e12, Math.floor(value))));
  const [[least, most] = [0n, 0n]] = LENGTHS;
  const ranges: Readonly<Record<typeof comparison, Range>> = {
    "==": [floor, floor],
    ">": [floor + 1n, most],
    "<": [least, isInteger ? floor - 1n : floor],
  };
  const [from, to] = ranges[comparison];
  return from <= to ? intersection([[from, to]], LENGTHS) : [];
}

/** What a part of an expression stands for, in terms of variables of the request. */
type Term = KindsOf<Terms>;

interface Terms {
  /** A text, a number or nil. */
  constant: { value: ConstantValue };
  /** True where the formula holds, and false elsewhere. */
  truth: { holds: Formula };
  text: { variable: TextVariable };
  number: { variable: NumberVariable };
  /** The list of a header's values; a header that was not sent is an empty list that equals nil. */
  header: { name: string };
  /** One term where a formula holds, and another term elsewhere. */
  choice: { where: Formula; yes: Term; no: Term };
  list: { elements: readonly Term[] };
}

/** The value of an expression for every request at once. */
interface SymbolicValue {
  /** Holds for the requests for which the evaluation does not fail. */
  readonly defined: Formula;
  /** The value for those requests. */
  readonly term: Term;
}

const always = (term: Term, defined: Formula = ALWAYS): SymbolicValue => ({
  ...{ defined, term },
});

/** The value of a literal. */
const constant = (value: ConstantValue): SymbolicValue =>
  typeof value === "boolean"
    ? truth(value ? ALWAYS : NEVER)
    : always({ kind: "constant", value });

/** The value of an expression that is true where `holds`, and false elsewhere. */
const truth = (holds: Formula, defined?: Formula): SymbolicValue =>
  always({ kind: "truth", holds }, defined);

/** The value of an expression that fails for every request, whatever its type. */
const FAILS = truth(NEVER, NEVER);

/** Where a boolean expression is true. Where else it is defined, it is false. */
const holdsOf = ({ term }: SymbolicValue): Formula =>
  term.kind === "truth" ? term.holds : NEVER;

/** The value of `!`, applied to another value. */
const negated = (value: SymbolicValue): SymbolicValue =>
  truth(holdsOf(value).opposite, value.defined);

/**
 * The value of `and` or `or` between several operands. The first operand that is
 * `decides` ends the evaluation.
 */
function combined(
  decides: boolean,
  operands: readonly SymbolicValue[],
): SymbolicValue {
  // Operands that fail for the same requests are one run: a chain of hundreds of them would
  // otherwise be nested as deep.
  const runs: { own: Formula; decided: Formula[] }[] = [];
  for (const operand of operands.slice(0, -1)) {
    const holds = holdsOf(operand);
    const decided = decides ? holds : holds.opposite;
    const run = runs.at(-1);
    if (run?.own === operand.defined) run.decided.push(decided);
    else runs.push({ own: operand.defined, decided: [decided] });
  }
  const defined = runs.reduceRight(
    (rest, { own, decided }) =>
      own === rest ? rest : and(own, or(...joined("or", decided), rest)),
    operands.at(-1)?.defined ?? ALWAYS,
  );
  const holds = operands.map(holdsOf);
  return truth(
    decides ? or(...joined("or", holds)) : and(...joined("and", holds)),
    defined,
  );
}

let lastKey = 0;
const newKeyOf = onceFor<Term, number>(() => ++lastKey);

/** A key that two terms share only if they are the same. */
function keyOfTerm(element: Term): string {
  if (element.kind === "text" || element.kind === "number")
    return element.variable.key;
  if (element.kind === "constant")
    return `${typeof element.value} ${String(element.value)}`;
  if (element.kind === "header") return `header ${element.name}`;
  return `${element.kind} ${newKeyOf(element)}`;
}
