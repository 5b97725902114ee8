import type { RuleRequest } from "../language";
import { buildWitness } from "./witness";
import { ALWAYS, type Formula, joined, type Junction, NEVER } from "./formula";
import { ConstraintStore, propagate } from "./constraint-store";
import { Model } from "./model";
import type { StepLimit } from "./step-limit";

/** Whether any request meets a condition. `found` and `none` are both certain. */
export type FoundRequest =
  /** This request does: it is a witness, on which the condition was evaluated. */
  | { readonly answer: "found"; readonly request: RuleRequest }
  /** No request does: that is proven. */
  | { readonly answer: "none"; readonly request?: undefined }
  /** No witness was found, and it is not proven that there is none. */
  | { readonly answer: "cannot tell"; readonly request?: undefined };

/** The steps of looking at a formula, beside those for its text or number. */
const STEPS_OF_FORMULA = 10;
/** Most requests that a search builds before it gives up. */
const MAX_TRIALS = 40;
/** How many levels of a formula are evaluated before it is assumed. */
const MAX_LEVELS = 4;

/** Alternatives that are tried from first to last. At least one has to hold. */
interface Choice {
  readonly alternatives: readonly Formula[];
  /** The state of the constraint store before an alternative was assumed. */
  readonly mark: number;
  next: number;
}

/**
 * A search for a request that satisfies a formula. What must hold is asserted in
 * the constraint store and propagated. Disjunctions stay undecided: a witness is built
 * from the constraints so far, and if it fails an undecided disjunction, the
 * alternatives of that one are tried in turn. Once all are refuted, no request
 * satisfies the formula.
 */
export class Search {
  readonly #store: ConstraintStore;
  readonly #assumed = new Set<Formula>();
  /** Assumed disjunctions for which no alternative is chosen yet. */
  readonly #undecided = new Set<Junction>();

  constructor(private readonly steps: StepLimit) {
    this.#store = new ConstraintStore(steps);
  }

  /**
   * Searches for a witness.
   * @param isMet confirms a witness by evaluating the conditions on it
   * @throws OutOfStepsError
   */
  find(
    formula: Formula,
    isMet: (request: RuleRequest) => boolean,
  ): FoundRequest {
    const choices: Choice[] = [];
    let isComplete = true;
    let trials = 0;
    let isPossible = this.#assume([formula]);
    for (;;) {
      if (trials > MAX_TRIALS) return { answer: "cannot tell" };
      if (isPossible && this.#settle()) {
        const request = buildWitness(this.#store, (one) => this.#assert([one]));
        const unmet = this.#unmet(request);
        if (unmet) {
          choices.push(this.#choiceOf(unmet));
        } else {
          trials++;
          if (isMet(request)) return { answer: "found", request };
          isComplete = false;
        }
      }
      const step = this.#tryNext(choices);
      if (step === "none")
        return { answer: isComplete ? "none" : "cannot tell" };
      isPossible = step;
    }
  }

  /**
   * Goes back to the last choice with another alternative and assumes that alternative;
   * `none` if no choice has one.
   */
  #tryNext(choices: Choice[]): boolean | "none" {
    for (;;) {
      const choice = choices.at(-1);
      if (!choice) return "none";
      this.#store.pop(choice.mark);
      const alternative = choice.alternatives[choice.next];
      if (!alternative) {
        choices.pop();
        continue;
      }
      this.#store.push();
      const refuted = choice.alternatives
        .slice(0, choice.next++)
        .map(({ opposite }) => opposite);
      return this.#assume([...refuted, alternative]);
    }
  }

  #choiceOf(formula: Junction): Choice {
    this.#close(formula);
    const mark = this.#store.push();
    return { alternatives: this.#left(formula), mark, next: 0 };
  }

  #left({ parts }: Junction): Formula[] {
    return parts.filter((part) => this.#evaluate(part) !== false);
  }

  /**
   * Assumes the last alternative of every undecided disjunction that has only one left;
   * false if a disjunction has none left.
   */
  #settle(): boolean {
    for (let isNew = true; isNew;) {
      isNew = false;
      this.steps.take(this.#undecided.size);
      for (const formula of [...this.#undecided]) {
        const left: Formula[] = [];
        let isMet = false;
        for (const part of formula.parts) {
          const value = this.#evaluate(part);
          if (value === true) isMet = true;
          if (value !== false) left.push(part);
          if (isMet || left.length > 1) break;
        }
        const [only, other] = left;
        if (!only) return false;
        if (isMet) this.#close(formula);
        if (isMet || other) continue;
        this.#close(formula);
        if (!this.#assume([only])) return false;
        isNew = true;
      }
    }
    return true;
  }

  /** Of the undecided disjunctions that a request does not satisfy, the one with the fewest alternatives left. */
  #unmet(request: RuleRequest): Junction | undefined {
    const model = new Model(request, this.steps);
    let found: Junction | undefined;
    let fewest = Infinity;
    for (const formula of this.#undecided) {
      if (model.evaluate(formula) === true) continue;
      const left = this.#left(formula);
      if (left.length >= fewest) continue;
      found = formula;
      fewest = left.length;
    }
    return found;
  }

  #close(formula: Junction): void {
    this.#undecided.delete(formula);
    this.#store.onPop(() => this.#undecided.add(formula));
  }

  /** Asserts formulas and propagates them; false for a contradiction. */
  #assume(formulas: readonly Formula[]): boolean {
    const waiting = [...formulas].reverse();
    const literals: Formula[] = [];
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      this.#step();
      if (!("parts" in one)) {
        literals.push(one);
        continue;
      }
      if (this.#assumed.has(one.opposite)) return false;
      if (this.#assumed.has(one)) continue;
      this.#record(one);
      if (one.kind === "and")
        for (const part of one.parts.toReversed()) waiting.push(part);
    }
    // A list of values comes first: most other tests then narrow nothing further.
    const isNarrow = (one: Formula) =>
      one.kind === "text" && one.test.kind === "in" && one.result;
    // Thousands of networks are intersected in pairs.
    this.steps.take(literals.length * Math.log2(literals.length + 1));
    return this.#assert([
      ...literals.filter(isNarrow),
      ...joined(
        "and",
        literals.filter((one) => !isNarrow(one)),
      ),
    ]);
  }

  #assert(formulas: readonly Formula[]): boolean {
    const waiting = [...formulas].reverse();
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      this.#step();
      if (one === NEVER) return false;
      if (one === ALWAYS) continue;
      if ("parts" in one) {
        if (!this.#assume([one])) return false;
        continue;
      }
      const narrowed = this.#store.assert(one);
      if (narrowed === "nothing") return false;
      if (narrowed === "less")
        waiting.push(...propagate(one.variable, this.#store));
    }
    return true;
  }

  #record(formula: Junction): void {
    this.#assumed.add(formula);
    if (formula.kind === "or") this.#undecided.add(formula);
    this.#store.onPop(() => {
      this.#assumed.delete(formula);
      this.#undecided.delete(formula);
    });
  }

  #step(): void {
    this.steps.take(STEPS_OF_FORMULA);
  }

  #evaluate(formula: Formula, level = 0): boolean | undefined {
    this.#step();
    if (!("parts" in formula)) return this.#store.evaluate(formula);
    if (this.#assumed.has(formula)) return true;
    if (this.#assumed.has(formula.opposite)) return false;
    if (level >= MAX_LEVELS) return undefined;
    return formula.evaluate((part) => this.#evaluate(part, level + 1));
  }
}
