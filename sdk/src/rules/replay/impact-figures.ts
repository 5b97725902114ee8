import type { Rule } from "..";
import type { Estimate, Outcomes, RuleImpact } from "./impact";

/** Numbers of events by their places in a `FigureTable`. They add up: figures of two parts of a range are those of both. */
export type Figures = number[];

/** How a figure reads in the end: exact, or with what a sample says about all events. */
export type Estimator = (place: number) => Estimate;

const OUTCOMES = [
  "newlyDenied",
  "newlyAllowed",
  "unchanged",
  "cannotTell",
] as const;

const OF_RULE = ["decidedBefore", "decidedAfter", ...OUTCOMES] as const;

/** Place of the number of all events. */
export const EVENTS = 0;
const TOTAL = EVENTS + 1;
const RULES = TOTAL + OUTCOMES.length;

/** Where each of an impact's numbers stands in a flat list, so that all are added and estimated alike. */
export class FigureTable {
  readonly #rules: readonly Pick<RuleImpact, "name" | "before" | "after">[];
  readonly #places: ReadonlyMap<string, number>;

  constructor(inForce: readonly Rule[], proposed: readonly Rule[]) {
    const before = statesOf(inForce);
    const after = statesOf(proposed);
    const names = [...new Set([...after.keys(), ...before.keys()])];
    this.#rules = names.map((name) => ({
      name,
      before: before.get(name) ?? "absent",
      after: after.get(name) ?? "absent",
    }));
    this.#places = new Map(
      names.map((name, i) => [name, RULES + i * OF_RULE.length]),
    );
  }

  /** All of them 0. */
  figures(): Figures {
    return Array<number>(RULES + this.#rules.length * OF_RULE.length).fill(0);
  }

  ofTotal(outcome: keyof Outcomes): number {
    return TOTAL + OUTCOMES.indexOf(outcome);
  }

  /** `name` is that of a rule in one of the two sets. */
  ofRule(name: string, figure: (typeof OF_RULE)[number]): number {
    return (this.#places.get(name) ?? NaN) + OF_RULE.indexOf(figure);
  }

  total(estimate: Estimator): Outcomes {
    return outcomesOf((outcome) => estimate(this.ofTotal(outcome)));
  }

  rules(estimate: Estimator): RuleImpact[] {
    return this.#rules.map((rule) => {
      const of = (figure: (typeof OF_RULE)[number]) =>
        estimate(this.ofRule(rule.name, figure));
      return {
        ...rule,
        decidedBefore: of("decidedBefore"),
        decidedAfter: of("decidedAfter"),
        outcomes: outcomesOf(of),
      };
    });
  }
}

function statesOf(
  rules: readonly Rule[],
): ReadonlyMap<string, RuleImpact["before"]> {
  return new Map(
    rules.map(({ name, action, status }) => [
      name,
      status === "enabled" ? action : "disabled",
    ]),
  );
}

function outcomesOf(of: (outcome: keyof Outcomes) => Estimate): Outcomes {
  return {
    newlyDenied: of("newlyDenied"),
    newlyAllowed: of("newlyAllowed"),
    unchanged: of("unchanged"),
    cannotTell: of("cannotTell"),
  };
}
