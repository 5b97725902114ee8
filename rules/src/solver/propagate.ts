import { assertNever } from "../assert-never";
import type { Field } from "../language/tables/fields";
import { fieldNamed } from "../language/tables/lookup";
import { lengthOf } from "../language/text/text";
import { wellFormed } from "../language/text/characters";
import {
  applyMapping,
  atLeast,
  hasElement,
  isEachCharacter,
  isMissing,
  isOneOf,
  isTrue,
  textSatisfies,
} from "./atoms";
import type { ConstraintStore } from "./constraint-store";
import {
  predicateTie,
  type ElementPredicate,
  elementVariable,
  type ElementVariable,
  booleanVariable,
  type Formula,
  HEADERS,
  headerTie,
  LENGTHS,
  type NumberVariable,
  numberWithin,
  rootOf,
  sizeVariable,
  type Variable,
  type TextVariable,
} from "./formula";
import { difference, includes } from "./integer-set";

/**
 * The formulas that follow from a new constraint on a variable: about itself,
 * and about the variables that depend on it.
 */
export function propagate(
  variable: Variable,
  store: ConstraintStore,
): Formula[] {
  if (variable.kind === "number") return propagateNumber(variable, store);
  const found: Formula[] = [];
  if (variable.what === "mapped")
    found.push(...propagateMapping(variable, store));
  if (variable.what === "element" || variable.what === "some")
    found.push(...propagateElement(variable, store));
  for (const tied of store.relatedTo(variable.key))
    if (tied.what === "mapped") found.push(...propagateMapping(tied, store));
    else if (tied.kind === "number")
      found.push(...propagateNumber(tied, store));
  return found;
}

function propagateNumber(
  variable: NumberVariable,
  store: ConstraintStore,
): Formula[] {
  switch (variable.what) {
    case "length":
      return propagateLength(variable, store);
    case "headers":
      return propagateHeaderCount(store);
    case "size":
      return [
        ...propagateSize(variable.header, store),
        ...propagateHeaderCount(store),
      ];
    case "exists": {
      const isMet = store.truth(variable);
      return isMet === undefined
        ? []
        : propagateExists(variable.predicate, isMet, store);
    }
    case "boolean":
      return store.truth(variable) ? excludedBy(variable.field) : [];
    case "ip":
    case "result":
      return [];
    default:
      return assertNever(variable);
  }
}

/** If a boolean field is true, another field may have to be false. */
function excludedBy({ symbolic }: Field): Formula[] {
  const name = symbolic?.kind === "variable" ? symbolic.excludes : undefined;
  const excluded = name === undefined ? undefined : fieldNamed(name);
  return excluded ? [isTrue(booleanVariable(excluded)).opposite] : [];
}

/** A new bound on the number of values may prove that the value at an index exists. */
function propagateSize(header: string, store: ConstraintStore): Formula[] {
  return elementsOf(header, store).flatMap((element) =>
    propagateElement(element, store),
  );
}

/** A request has at least as many headers as are known to be sent. */
function propagateHeaderCount(store: ConstraintStore): Formula[] {
  if (!store.has(HEADERS)) return [];
  let present = 0n;
  const unsure: Formula[] = [];
  for (const { header } of store.sizes()) {
    const isAbsent = store.evaluate(isMissing(header));
    if (isAbsent === false) present += 1n;
    else if (isAbsent === undefined) unsure.push(isMissing(header));
  }
  const most = store.numbers(HEADERS).at(-1)?.[1];
  return [
    numberWithin(HEADERS, atLeast(present)),
    ...(most === present ? unsure : []),
  ];
}

/** If a value meets a predicate, the header has that value; otherwise none of its values meets the predicate. */
function propagateExists(
  predicate: ElementPredicate,
  isMet: boolean,
  store: ConstraintStore,
): Formula[] {
  const { header, some, variable } = predicate;
  if (isMet) {
    store.declare(variable);
    return [hasElement(header, 0n), some, ...propagateElement(variable, store)];
  }
  return elementsOf(header, store).flatMap((element) =>
    avoidPredicate(predicate, element, store),
  );
}

/** If no value of a header meets a predicate, then this value does not meet it. */
function propagateElement(
  element: ElementVariable,
  store: ConstraintStore,
): Formula[] {
  const found: Formula[] = [];
  if (!isThere(element, store)) return found;
  if (element.what === "element" && element.index < 0)
    found.push(...propagateFromEnd(element, store));
  // A text with a list of values narrows each time. For any other text, once is enough:
  // a predicate that is refuted later is applied to it then.
  const isOpen = store.texts(element).values === undefined;
  if (isOpen && !store.once(`predicates of ${element.key}`)) return found;
  for (const tied of store.relatedTo(predicateTie(element.header)))
    if (tied.what === "exists" && store.truth(tied) === false)
      found.push(...avoidPredicate(tied.predicate, element, store));
  return found;
}

/** Once the number of values is known, what an index from the end requires holds for the same value counted from the start. */
function propagateFromEnd(
  element: ElementVariable & { readonly index: number },
  store: ConstraintStore,
): Formula[] {
  const { header, index } = element;
  const [range, more] = store.numbers(sizeVariable(header));
  if (!range || more || range[0] !== range[1]) return [];
  const same = elementVariable(header, Number(range[0]) + index);
  const { values, required } = store.texts(element);
  return values
    ? [isOneOf(same, values)]
    : required.map((test) => textSatisfies(same, test));
}

/** The values of a header that certainly exist: values with a constraint, and the first value. */
export function elementsOf(
  header: string,
  store: ConstraintStore,
): ElementVariable[] {
  const first = elementVariable(header, 0);
  const found = new Map<string, ElementVariable>([[first.key, first]]);
  for (const tied of store.relatedTo(headerTie(header))) {
    const root = rootOf(tied);
    if (root && "header" in root && root.header === header)
      found.set(root.key, root);
  }
  return [...found.values()].filter((element) => isThere(element, store));
}

function isThere(element: ElementVariable, store: ConstraintStore): boolean {
  if (element.what === "some") return store.truth(element.exists) === true;
  return (
    store.evaluate(hasElement(element.header, BigInt(element.index))) === true
  );
}

function avoidPredicate(
  predicate: ElementPredicate,
  element: ElementVariable,
  store: ConstraintStore,
): Formula[] {
  const values = valuesOf(element, store);
  const results = values?.map((value) =>
    predicate.evaluate(value, store.steps),
  );
  if (!values || !results || results.includes(undefined)) {
    if (!store.once(`${element.key} ${predicate.key}`)) return [];
    store.steps.take(predicate.steps);
    return [predicate.of(element).opposite];
  }
  const kept = values.filter((_, i) => results[i] === false);
  return kept.length < values.length ? [isOneOf(element, kept)] : [];
}

type Mapped = Extract<TextVariable, { what: "mapped" }>;
type Length = Extract<NumberVariable, { what: "length" }>;

const MAX_VALUES = 64;

/** Between a text and its result under a function, values pass in both directions. */
function propagateMapping(variable: Mapped, store: ConstraintStore): Formula[] {
  const values = valuesOf(variable.of, store);
  if (!values) return propagateParts(variable, store);
  const domain = store.texts(variable);
  store.steps.take(lengthOfAll(values));
  const kept = values.filter((value) =>
    domain.has(applyMapping(variable.by, value)),
  );
  return [
    isOneOf(variable.of, kept),
    isOneOf(
      variable,
      kept.map((value) => applyMapping(variable.by, value)),
    ),
  ];
}

/** Where a function maps each character for itself, the parts of a text become parts of the result. */
function propagateParts(variable: Mapped, store: ConstraintStore): Formula[] {
  const { of, by } = variable;
  if (!isEachCharacter(by)) return [];
  return store.texts(of).required.flatMap((test) =>
    "part" in test && !test.ignoresCase && wellFormed(test.part) === test.part
      ? [
          textSatisfies(variable, {
            ...test,
            part: applyMapping(by, test.part),
          }),
        ]
      : [],
  );
}

/** Between a text and its length, values pass in both directions. */
function propagateLength(variable: Length, store: ConstraintStore): Formula[] {
  const { of } = variable;
  const lengths = store.numbers(variable);
  const values = valuesOf(of, store);
  if (values) store.steps.take(lengthOfAll(values));
  if (values)
    return [
      isOneOf(
        of,
        values.filter((value) => includes(lengths, BigInt(lengthOf(value)))),
      ),
    ];
  const domain = store.texts(of);
  const parts = domain.required.map((test) =>
    "part" in test ? lengthOf(test.part) : 0,
  );
  const least = domain.has("") ? 0 : 1;
  const longer = Math.max(least, ...parts);
  const possible =
    longer > 0 ? difference(LENGTHS, [[0n, BigInt(longer) - 1n]]) : LENGTHS;
  const isEmpty = isOneOf(of, [""]);
  const ofText = includes(lengths, 0n)
    ? lengths.length === 1 && lengths[0]?.[1] === 0n
      ? [isEmpty]
      : []
    : [isEmpty.opposite];
  return [numberWithin(variable, possible), ...ofText];
}

const lengthOfAll = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + text.length, 0);

/** The values that a text may have; undefined if there are too many to list. */
function valuesOf(
  variable: TextVariable,
  store: ConstraintStore,
): readonly string[] | undefined {
  const domain = store.texts(variable);
  const { values } = domain;
  if (values) return values.size <= MAX_VALUES ? [...values] : undefined;
  if (variable.what !== "mapped") return undefined;
  const before = valuesOf(variable.of, store);
  const after = before?.map((value) => applyMapping(variable.by, value));
  return after?.filter((value) => domain.has(value));
}
