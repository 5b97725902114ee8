import { isKnownRule } from "@devid/rules/internals";
import { type Rule } from "@devid/rules";
import {
  CHANGED_OUTCOMES,
  isChanged,
  type ChangedOutcome,
  type Estimate,
  type Impact,
  type Outcomes,
  type RuleImpact,
  type RuleState,
} from "./impact";
/**
 * Numbers of events, each at its index of a `FigureTable`. The figures of two parts of
 * a range can be added.
 */
export type Figures = number[];

/** Turns a figure into the number that is reported: exact, or estimated from a sample. */
export type Estimator = (place: number) => Estimate;

const OUTCOMES = [
  "newlyDenied",
  "newlyAllowed",
  "unchanged",
  "cannotTell",
] as const;

const OF_RULE = ["decidedBefore", "decidedAfter", ...OUTCOMES] as const;
type Figure = (typeof OF_RULE)[number];

type StatesOfRule = Pick<RuleImpact, "name" | "before" | "after">;

/** Place of the number of all events. */
export const EVENTS = 0;
const TOTAL = EVENTS + 1;
const MAY_BE = TOTAL + OUTCOMES.length;
/**
 * Figures before this index are for all rules together. The figures of each rule
 * follow.
 */
export const RULES = MAY_BE + CHANGED_OUTCOMES.length;

/**
 * The index of each number of an impact in a flat list, so that the same code can add
 * and estimate all numbers.
 */
export class FigureTable {
  readonly #rules: readonly StatesOfRule[];
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

  /** Figures that are all 0. */
  figures(): Figures {
    return Array<number>(RULES + this.#rules.length * OF_RULE.length).fill(0);
  }

  ofTotal(outcome: keyof Outcomes): number {
    return TOTAL + OUTCOMES.indexOf(outcome);
  }

  /** Events that have, or may have, an outcome. */
  ofPossible(outcome: ChangedOutcome): number {
    return MAY_BE + CHANGED_OUTCOMES.indexOf(outcome);
  }

  /** `name` is that of a rule in one of the two sets. */
  ofRule(name: string, figure: Figure): number {
    return (this.#places.get(name) ?? NaN) + OF_RULE.indexOf(figure);
  }

  /** The events that surely have an outcome are at most those that may have it. */
  totals(estimate: Estimator): Pick<Impact, "total" | "possible"> {
    const possible = {
      newlyDenied: estimate(this.ofPossible("newlyDenied")),
      newlyAllowed: estimate(this.ofPossible("newlyAllowed")),
    };
    const total = outcomesOf((outcome) => {
      const found = estimate(this.ofTotal(outcome));
      return isChanged(outcome) ? within(found, possible[outcome]) : found;
    });
    return { total, possible };
  }

  /** The events of a rule with an outcome are at most those in `total`. */
  rules(estimate: Estimator, total: Outcomes): RuleImpact[] {
    return this.#rules.map((rule) => {
      const of = (figure: Figure) => {
        const found = estimate(this.ofRule(rule.name, figure));
        if (!mayHave(rule, figure)) return unlessSeen(found);
        return isOutcome(figure) ? within(found, total[figure]) : found;
      };
      return {
        ...rule,
        decidedBefore: of("decidedBefore"),
        decidedAfter: of("decidedAfter"),
        outcomes: outcomesOf(of),
      };
    });
  }
}

/**
 * The totals with 0 for each outcome that is proven to happen to no request. A proof is
 * stronger than a count of events or an estimate from a sample.
 * @param all the number of events of the range
 */
export function withoutImpossible<
  Totals extends Pick<Impact, "total" | "possible">,
>(
  totals: Totals,
  impossible: ReadonlySet<keyof Outcomes>,
  all: Estimate,
): Totals {
  const none = { value: 0 };
  const proven = {
    ...(impossible.has("newlyDenied") && { newlyDenied: none }),
    ...(impossible.has("newlyAllowed") && { newlyAllowed: none }),
  };
  // If every request is decided as before, no event can be undecided.
  const isSame = proven.newlyDenied && proven.newlyAllowed;
  return {
    ...totals,
    possible: { ...totals.possible, ...proven },
    total: {
      ...totals.total,
      ...proven,
      ...(isSame && { cannotTell: none, unchanged: all }),
    },
  };
}

const isOutcome = (figure: Figure): figure is keyof Outcomes =>
  OUTCOMES.some((outcome) => outcome === figure);

/**
 * Whether a figure of a rule can be above 0. A disabled or absent rule decides nothing,
 * and a rule that never denies causes no new denial.
 */
function mayHave({ before, after }: StatesOfRule, figure: Figure): boolean {
  const isOn = (state: RuleImpact["before"]) =>
    state === "allow" || state === "deny";
  switch (figure) {
    case "decidedBefore":
      return isOn(before);
    case "decidedAfter":
      return isOn(after);
    case "newlyDenied":
      return before === "allow" || after === "deny";
    case "newlyAllowed":
      return before === "deny" || after === "allow";
    default:
      return isOn(before) || isOn(after);
  }
}

/** A number that is proven to be 0 has no bounds, unless such events were seen. */
function unlessSeen(found: Estimate): Estimate {
  return found.value === 0 ? { value: 0 } : found;
}

/** A part of a number is at most as large as the upper bound of the whole. */
function within(part: Estimate, whole: Estimate): Estimate {
  if (part.value === 0 && whole.value === 0) return whole;
  if (part.high === undefined || whole.high === undefined) return part;
  const { percent } = part;
  return {
    ...part,
    high: Math.min(part.high, whole.high),
    percent: percent && {
      ...percent,
      high: Math.min(percent.high, whole.percent?.high ?? 100),
    },
  };
}

function statesOf(rules: readonly Rule[]): ReadonlyMap<string, RuleState> {
  return new Map(
    rules.map((rule) => {
      if (rule.status === "disabled") return [rule.name, "disabled"];
      return [rule.name, isKnownRule(rule) ? rule.action : "unknown"];
    }),
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
