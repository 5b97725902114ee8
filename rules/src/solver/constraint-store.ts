import type { Field } from "../language/tables/fields";
import { onceFor } from "../once-for";
import {
  type Formula,
  type Literal,
  type NumberVariable,
  type Variable,
  type TextVariable,
  tiesOf,
} from "./formula";
import { intersection, containedIn, type IntegerSet } from "./integer-set";
import type { StepLimit } from "./step-limit";
import { type Narrowed, TextDomain } from "./text-domain";

/**
 * The constraints on a request that were asserted so far: for each variable, the
 * values that it may still have. `push` marks a state, `pop` goes back to it.
 */
export class ConstraintStore {
  readonly #numbers = new Map<string, IntegerSet>();
  readonly #texts = new Map<string, { domain: TextDomain; mark: number }>();
  readonly #related = new Map<string, Set<Variable>>();
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
      case "constant":
        return formula.value;
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
    return [...related].filter((variable) => this.has(variable));
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
    for (const key of ["", ...tiesOf(variable)]) {
      const related = this.#related.get(key) ?? new Set();
      this.#related.set(key, related.add(variable));
    }
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
  if (variable.what === "constant") return domainOf([variable.value]);
  return variable.what === "field" ? domainOfField(variable.field) : ANY_TEXT;
}

function domainOf(values: readonly string[]): TextDomain {
  const domain = new TextDomain();
  domain.narrow({ kind: "in", values: new Set(values) }, true);
  return domain;
}
