import { assertNever } from "../assert-never";
import type { Field } from "../language/tables/fields";
import { fieldNamed } from "../language/tables/lookup";
import { wellFormed } from "../language/text/characters";
import { lengthOf } from "../language/text/text";
import { keptIn } from "../keeping-results";
import { onceFor } from "../once-for";
import {
  applyMapping,
  booleanVariable,
  type ElementPredicate,
  elementVariable,
  type ElementVariable,
  type Formula,
  hasElement,
  headerTie,
  isEachCharacter,
  isOneOf,
  isTrue,
  LENGTHS,
  type Literal,
  type NumberVariable,
  numberWithin,
  predicateTie,
  rootOf,
  sizeVariable,
  textSatisfies,
  type TextVariable,
  tiesOf,
  type Variable,
} from "./formula";
import {
  containedIn,
  difference,
  includes,
  intersection,
  type IntegerSet,
} from "./integer-set";
import type { StepLimit } from "./step-limit";
import { type Narrowed, TextDomain } from "./text-domain";

/**
 * The constraints on a request that were asserted so far: for each variable, the
 * values that it may still have. `push` marks a state, `pop` goes back to it.
 */
export class ConstraintStore {
  readonly #numbers = new Map<string, IntegerSet>();
  readonly #texts = new Map<string, { domain: TextDomain; mark: number }>();
  readonly #related = new Map<string, Map<string, Variable>>();
  readonly #done = new Set<string>();
  readonly #undo: (() => void)[] = [];
  /** The last mark. A domain that was copied since then may be narrowed in place. */
  #mark = 0;

  /** @param steps limits the work on the constraints */
  constructor(readonly steps: StepLimit) {}

  /** Marks the present state. @returns the mark, for `pop` */
  push(): number {
    this.#mark = this.#undo.length;
    return this.#mark;
  }

  /** Takes back everything that was asserted since a mark. */
  pop(mark: number): void {
    while (this.#undo.length > mark) this.#undo.pop()?.();
    this.#mark = mark;
  }

  /** Has `undo` called when the present state is popped. */
  onPop(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** The values that a number may have. */
  numbers(variable: NumberVariable): IntegerSet {
    return this.#numbers.get(variable.key) ?? variable.all;
  }

  /** The values that a text may have. */
  texts(variable: TextVariable): TextDomain {
    return this.#texts.get(variable.key)?.domain ?? initialDomain(variable);
  }

  /** The value of a boolean variable; undefined if it may have either. */
  truth(variable: NumberVariable): boolean | undefined {
    const [range, more] = this.numbers(variable);
    if (!range || more || range[0] !== range[1]) return undefined;
    return range[0] === 1n;
  }

  /** Whether the constraints imply a literal (true) or its opposite (false); undefined for neither, and for a junction. */
  evaluate(formula: Formula): boolean | undefined {
    switch (formula.kind) {
      case "number": {
        const numbers = this.numbers(formula.variable);
        this.steps.take(numbers.length);
        return containedIn(numbers, formula.within);
      }
      case "text": {
        const passes = this.texts(formula.variable).evaluate(formula.test);
        return passes === undefined ? undefined : passes === formula.result;
      }
      default:
        return undefined;
    }
  }

  /** Whether this is the first call with a key, apart from calls that were popped. */
  once(key: string): boolean {
    if (this.#done.has(key)) return false;
    this.#done.add(key);
    this.#undo.push(() => this.#done.delete(key));
    return true;
  }

  /** Whether a variable was declared or is constrained. */
  has({ kind, key }: Variable): boolean {
    return kind === "text"
      ? this.#texts.has(key) || this.#done.has(declaring(key))
      : this.#numbers.has(key);
  }

  /** Notes that the request has a text, whatever it is. */
  declare(variable: TextVariable): void {
    if (this.once(declaring(variable.key))) this.#relate(variable);
  }

  /** Adds the constraint that a literal holds. @returns how that narrowed its variable */
  assert(literal: Literal): Narrowed {
    const { variable } = literal;
    if (literal.kind === "number") {
      const before = this.numbers(literal.variable);
      this.steps.take(before.length + literal.within.length);
      const left = intersection(before, literal.within);
      if (left.length === 0) return "nothing";
      if (containedIn(before, left)) return "same";
      this.#set(this.#numbers, variable.key, left);
    } else {
      const domain = this.#ownTexts(literal.variable);
      const narrowed = domain.narrow(literal.test, literal.result);
      if (narrowed !== "less") return narrowed;
    }
    this.#relate(variable);
    return "less";
  }

  /** Whether a variable, or a variable that depends on it, is constrained. */
  concerns(variable: Variable): boolean {
    return this.has(variable) || this.relatedTo(variable.key).length > 0;
  }

  /** The constrained variables that depend on the one with a key (see `tiesOf`). */
  relatedTo(key: string): Variable[] {
    const related = this.#related.get(key);
    if (!related) return [];
    this.steps.take(related.size);
    return [...related.values()].filter((variable) => this.has(variable));
  }

  /** Every constrained variable. */
  known(): Variable[] {
    return this.relatedTo("");
  }

  /** The constrained variables for the number of a header's values. */
  sizes(): Extract<NumberVariable, { readonly what: "size" }>[] {
    return this.known().filter((variable) => variable.what === "size");
  }

  #ownTexts(variable: TextVariable): TextDomain {
    const known = this.#texts.get(variable.key);
    if (known?.mark === this.#mark) return known.domain;
    const domain = new TextDomain(this.texts(variable), this.steps);
    this.#set(this.#texts, variable.key, { domain, mark: this.#mark });
    return domain;
  }

  #set<Value>(map: Map<string, Value>, key: string, value: Value): void {
    const before = map.get(key);
    map.set(key, value);
    this.#undo.push(() => {
      if (before === undefined) map.delete(key);
      else map.set(key, before);
    });
  }

  #relate(variable: Variable): void {
    for (const key of ["", ...tiesOf(variable)])
      keptIn(this.#related, key, () => new Map()).set(variable.key, variable);
  }
}

const declaring = (key: string) => `declare ${key}`;

/** The domains of variables without constraints. They are shared, and only copies are narrowed. */
const ANY_TEXT = new TextDomain();
const domainOfField = onceFor(({ symbolic }: Field) =>
  symbolic?.kind === "variable" && symbolic.values
    ? domainOf(symbolic.values)
    : ANY_TEXT,
);

/** The values that a text may have without any constraint. */
function initialDomain(variable: TextVariable): TextDomain {
  return variable.what === "field" ? domainOfField(variable.field) : ANY_TEXT;
}

function domainOf(values: readonly string[]): TextDomain {
  const domain = new TextDomain();
  domain.narrow({ kind: "in", values: new Set(values) }, true);
  return domain;
}

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
    case "size":
      // A new bound may prove that the value at an index exists.
      return elementsOf(variable.header, store).flatMap((element) =>
        propagateElement(element, store),
      );
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
  // Once is enough: a predicate that is refuted later is applied to it then.
  if (!store.once(`predicates of ${element.key}`)) return found;
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
  if (!store.once(`${element.key} ${predicate.key}`)) return [];
  store.steps.take(predicate.steps);
  return [predicate.of(element).opposite];
}

type Mapped = Extract<TextVariable, { what: "mapped" }>;
type Length = Extract<NumberVariable, { what: "length" }>;

const MAX_VALUES = 1_000;

/** Between a text and its result under a function, values pass in both directions. */
function propagateMapping(variable: Mapped, store: ConstraintStore): Formula[] {
  const values = valuesOf(variable.of, store);
  if (!values) return propagateParts(variable, store);
  const domain = store.texts(variable);
  store.steps.take(lengthOfAll(values));
  const mapped = (value: string) => applyMapping(variable.by, value);
  const kept = values.filter((value) => domain.has(mapped(value)));
  return [isOneOf(variable.of, kept), isOneOf(variable, kept.map(mapped))];
}

/** Where a function maps each character for itself, the parts of a text become parts of the result. */
function propagateParts(variable: Mapped, store: ConstraintStore): Formula[] {
  const { of, by } = variable;
  if (!isEachCharacter(by)) return [];
  return store.texts(of).required.flatMap((test) => {
    if (test.kind !== "part" || test.ignoresCase) return [];
    if (wellFormed(test.part) !== test.part) return [];
    const part = applyMapping(by, test.part);
    return [textSatisfies(variable, { ...test, part })];
  });
}

/** Between a text and its length, values pass in both directions. */
function propagateLength(variable: Length, store: ConstraintStore): Formula[] {
  const { of } = variable;
  const lengths = store.numbers(variable);
  const values = valuesOf(of, store);
  if (values) {
    store.steps.take(lengthOfAll(values));
    const fits = (value: string) => includes(lengths, BigInt(lengthOf(value)));
    return [isOneOf(of, values.filter(fits))];
  }
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
