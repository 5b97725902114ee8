import type { Estimate } from "./impact";
import { EVENTS, type Figures, RULES } from "./impact-figures";
import type { SampleEstimates } from "./measure-impact";
import type { SamplePlan } from "./plan-reading";

/**
 * Estimates the figures of a range from two slices of each of its parts. It uses the
 * Horvitz-Thompson estimator of a stratified sample, which is unbiased for any events.
 * The bounds follow from the differences between the two slices of each part, with
 * Student's distribution and Satterthwaite's degrees of freedom; they are never closer
 * than for independent events. If an outcome was never seen, the upper bound is the
 * average content of n slices. A sample leaves n given slices all unread in one of twenty
 * draws.
 */
export class RangeTotals implements SampleEstimates {
  readonly confidence = 0.95;
  readonly weight: number;
  readonly #slices: number;
  readonly #seen: Figures;
  readonly #variance: Figures;
  /** Sums of the squared variances of the parts. */
  readonly #squares: Figures;
  /** The differences between the two slices of each part, in the figures of all rules together. */
  readonly #differences: Figures[] = [];

  constructor(
    private readonly plan: SamplePlan,
    empty: Figures,
  ) {
    this.weight = plan.slicesPerPart / 2;
    this.#slices = plan.parts.length * 2;
    this.#seen = [...empty];
    this.#variance = [...empty];
    this.#squares = [...empty];
  }

  /** Figures of all slices together. */
  get seen(): Figures {
    return this.#seen;
  }

  /** Adds the figures of the two slices of a part. */
  add(one: Figures, other: Figures): void {
    const { slicesPerPart: n } = this.plan;
    this.#seen.forEach((seen, place) => {
      const [a = 0, b = 0] = [one[place], other[place]];
      // The variance of the estimate n (a + b) / 2 for two of n slices drawn without
      // replacement.
      const variance = (n * (n - 2) * (a - b) ** 2) / 4;
      this.#seen[place] = seen + a + b;
      this.#variance[place] = (this.#variance[place] ?? 0) + variance;
      this.#squares[place] = (this.#squares[place] ?? 0) + variance ** 2;
    });
    this.#differences.push(
      one.slice(0, RULES).map((a, place) => a - (other[place] ?? 0)),
    );
  }

  /** No figure is larger than the number of all events. */
  estimate(place: number): Estimate {
    const found = this.#boundsOf(place);
    if (place === EVENTS) return found;
    const { high } = this.#boundsOf(EVENTS);
    return {
      ...found,
      high: Math.min(found.high, high),
      ...(place < RULES && { percent: this.#percentOf(place) }),
    };
  }

  /**
   * The bounds of a figure's share of all events. Both numbers are estimated from the
   * same slices, so the share is more certain than each number. Its variance is the
   * variance of the figure minus its share of the events, slice by slice.
   */
  #percentOf(place: number): { low: number; high: number } {
    const { slicesPerPart: n } = this.plan;
    const [seen = 0, all = 0] = [this.#seen[place], this.#seen[EVENTS]];
    if (all === 0) return { low: 0, high: 100 };
    const unseen = Math.min(1, this.#mostUnseen() / (all * this.weight));
    const most = Math.ceil(1e4 * unseen) / 100;
    if (seen === 0) return { low: 0, high: most };
    if (seen === all) return { low: 100 - most, high: 100 };
    const share = seen / all;
    const variances = this.#differences.map((of) => {
      const [part = 0, events = 0] = [of[place], of[EVENTS]];
      return (n * (n - 2) * (part - share * events) ** 2) / 4;
    });
    const independent = seen * (1 - share) * this.weight * (this.weight - 1);
    const error = errorOf(variances, independent) / (all * this.weight);
    return {
      low: Math.floor(1e4 * Math.max(0, share - error)) / 100,
      high: Math.ceil(1e4 * Math.min(1, share + error)) / 100,
    };
  }

  #boundsOf(place: number): Required<Omit<Estimate, "percent">> {
    const seen = this.#seen[place] ?? 0;
    if (seen === 0) return { value: 0, low: 0, high: this.#mostUnseen() };
    const value = seen * this.weight;
    const variance = this.#variance[place] ?? 0;
    const squares = this.#squares[place] ?? 0;
    const independent = seen * this.weight * (this.weight - 1);
    const degrees = squares === 0 ? Infinity : variance ** 2 / squares;
    const error =
      studentT(degrees) * Math.sqrt(Math.max(variance, independent));
    return {
      value: Math.round(value),
      low: Math.max(seen, Math.floor(value - error)),
      high: Math.ceil(value + error),
    };
  }

  /**
   * The probability that k given slices all stay unread is at most (1 - 2 / n) ** k,
   * also for slices of several parts: the rule of three, for two slices of n.
   */
  #mostUnseen(): number {
    const { slicesPerPart: n } = this.plan;
    const unread = Math.log(1 - this.confidence) / Math.log(1 - 2 / n);
    const eventsOfSlice = (this.#seen[EVENTS] ?? 0) / this.#slices;
    return Math.ceil(unread * eventsOfSlice);
  }
}

/**
 * The margin of error of an estimate whose variance is the sum of the parts' variances,
 * and at least `least`.
 */
function errorOf(variances: readonly number[], least: number): number {
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  const variance = sum(variances);
  const squares = sum(variances.map((one) => one ** 2));
  const degrees = squares === 0 ? Infinity : variance ** 2 / squares;
  return studentT(degrees) * Math.sqrt(Math.max(variance, least));
}

/** Degrees of freedom and the 97.5 % quantile of Student's distribution for them. */
const QUANTILES = [
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [4, 2.776],
  [5, 2.571],
  [6, 2.447],
  [7, 2.365],
  [8, 2.306],
  [9, 2.262],
  [10, 2.228],
  [12, 2.179],
  [15, 2.131],
  [20, 2.086],
  [30, 2.042],
  [60, 2.0],
  [120, 1.98],
] as const;

/** The number of standard errors to either side for a confidence of 95 %; rounded up. */
export function studentT(degreesOfFreedom: number): number {
  const row = QUANTILES.findLast(([degrees]) => degrees <= degreesOfFreedom);
  return (row ?? QUANTILES[0])[1];
}
