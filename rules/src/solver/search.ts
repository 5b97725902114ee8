import type { RuleRequest } from "../language";
import { Knowledge } from "./constraint-store";
import type { Formula, Junction } from "./formula";
import { RequestReader } from "./model";
import { consequences } from "./propagate";
import { buildRequest } from "./witness";

/** What came of a search; `gave up` where neither is proven. */
export type Found = RuleRequest | "none" | "gave up";

/** Statements that are looked at before a search gives up: some 50 ms. */
const MAX_STEPS = 200_000;
/** Requests that are tried before a search gives up. */
const MAX_TRIALS = 40;
/** Levels of a formula that are looked into before it is assumed. */
const MAX_LEVELS = 4;

/** Alternatives of which at least one has to hold. */
interface Choice {
  readonly alternatives: readonly Formula[];
  /** Where to go back to. */
  readonly mark: number;
  next: number;
}

/**
 * Looks for a request that meets a formula. What has to hold narrows what is
 * known of the request. Where there is a choice, a request is made from what is
 * known so far; the choices that it does not happen to meet are tried one
 * alternative after the other. When all are refuted, no request meets it.
 */
export class Search {
  readonly #knowledge = new Knowledge();
  readonly #assumed = new Set<Formula>();
  /** Alternatives that are not decided yet. */
  readonly #open = new Set<Junction>();
  #steps = 0;

  /** A request that `isMet` agrees with, if the formula has one. */
  find(formula: Formula, isMet: (request: RuleRequest) => boolean): Found {
    const choices: Choice[] = [];
    let isComplete = true;
    let trials = 0;
    let isPossible = this.#assume([formula]);
    for (;;) {
      if (this.#steps > MAX_STEPS || trials > MAX_TRIALS) return "gave up";
      if (isPossible && this.#settle()) {
        const request = buildRequest(this.#knowledge, (one) =>
          this.#learn([one]),
        );
        const open = this.#unmet(request);
        if (open) {
          choices.push(this.#choiceOf(open));
        } else {
          trials++;
          if (isMet(request)) return request;
          isComplete = false;
        }
      }
      const step = this.#tryNext(choices);
      if (step === "none") return isComplete ? "none" : "gave up";
      isPossible = step;
    }
  }

  /** The choice that was made last, decided otherwise; the one before it where it has no other alternative. */
  #tryNext(choices: Choice[]): boolean | "none" {
    for (;;) {
      const choice = choices.at(-1);
      if (!choice) return "none";
      this.#knowledge.backTo(choice.mark);
      const alternative = choice.alternatives[choice.next];
      if (!alternative) {
        choices.pop();
        continue;
      }
      this.#knowledge.mark();
      const refuted = choice.alternatives
        .slice(0, choice.next++)
        .map(({ opposite }) => opposite);
      return this.#assume([...refuted, alternative]);
    }
  }

  #choiceOf(formula: Junction): Choice {
    this.#close(formula);
    const mark = this.#knowledge.mark();
    const alternatives = formula.parts.filter(
      (part) => this.#says(part) !== false,
    );
    return { alternatives, mark, next: 0 };
  }

  /** Follows from what is known which alternatives are left; false where some have none. */
  #settle(): boolean {
    for (let isNew = true; isNew;) {
      isNew = false;
      for (const formula of [...this.#open]) {
        const left: Formula[] = [];
        let isMet = false;
        for (const part of formula.parts) {
          const said = this.#says(part);
          if (said === true) isMet = true;
          if (said !== false) left.push(part);
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
      if (this.#steps > MAX_STEPS) return true;
    }
    return true;
  }

  /** Of the alternatives that a request does not meet, those with the fewest left. */
  #unmet(request: RuleRequest): Junction | undefined {
    const reader = new RequestReader(request);
    let found: Junction | undefined;
    let fewest = Infinity;
    for (const formula of this.#open) {
      if (reader.says(formula) === true) continue;
      const left = formula.parts.filter((part) => this.#says(part) !== false);
      if (left.length >= fewest) continue;
      found = formula;
      fewest = left.length;
    }
    return found;
  }

  #close(formula: Junction): void {
    this.#open.delete(formula);
    this.#knowledge.onUndo(() => this.#open.add(formula));
  }

  /** Takes formulas for true, with all that follows at once; false where that cannot be. */
  #assume(formulas: readonly Formula[]): boolean {
    const waiting = [...formulas].reverse();
    const literals: Formula[] = [];
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      this.#steps++;
      if (!("parts" in one)) {
        literals.push(one);
        continue;
      }
      if (this.#assumed.has(one.opposite)) return false;
      if (this.#assumed.has(one)) continue;
      this.#remember(one);
      if (one.kind === "and")
        for (const part of one.parts.toReversed()) waiting.push(part);
    }
    // What leaves few values comes first: most of the rest then says nothing new.
    const isNarrow = (one: Formula) =>
      one.kind === "text" && one.test.kind === "in" && one.result;
    return this.#learn([
      ...literals.filter(isNarrow),
      ...literals.filter((one) => !isNarrow(one)),
    ]);
  }

  #learn(formulas: readonly Formula[]): boolean {
    const waiting = [...formulas].reverse();
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      if (this.#steps++ > MAX_STEPS) return true;
      if (one.kind === "constant") {
        if (!one.value) return false;
        continue;
      }
      if ("parts" in one) {
        if (!this.#assume([one])) return false;
        continue;
      }
      const narrowed = this.#knowledge.learn(one);
      if (narrowed === "nothing") return false;
      if (narrowed === "less")
        waiting.push(...consequences(one.subject, this.#knowledge));
    }
    return true;
  }

  #remember(formula: Junction): void {
    this.#assumed.add(formula);
    if (formula.kind === "or") this.#open.add(formula);
    this.#knowledge.onUndo(() => {
      this.#assumed.delete(formula);
      this.#open.delete(formula);
    });
  }

  #says(formula: Formula, level = 0): boolean | undefined {
    this.#steps++;
    if (!("parts" in formula)) return this.#knowledge.saysOf(formula);
    if (this.#assumed.has(formula)) return true;
    if (this.#assumed.has(formula.opposite)) return false;
    if (level >= MAX_LEVELS) return undefined;
    const deciding = formula.kind === "or";
    let isKnown = true;
    for (const part of formula.parts) {
      const said = this.#says(part, level + 1);
      if (said === deciding) return deciding;
      if (said === undefined) isKnown = false;
    }
    return isKnown ? !deciding : undefined;
  }
}
