import type { Estimate } from "./impact";
import { EVENTS, type Figures, RULES } from "./impact-figures";
import type { SampleEstimates } from "./measure-impact";

/** Sums over the slices of a part that were read, a figure at each place. */
interface PartSums {
  readonly figures: Figures;
  readonly squares: Figures;
  /** Products with the number of events, for the figures of all rules together. */
  readonly withEvents: Figures;
}

/**
 * Estimates the figures of a range from random slices of each of its parts, as many of
 * each. It uses the Horvitz-Thompson estimator of a stratified sample, which is unbiased
 * for any events. The bounds follow from the differences between the slices of a part,
 * with Student's distribution and Satterthwaite's degrees of freedom; they are never
 * closer than for independent events. If an outcome was never seen, the upper bound is
 * the average content of so many slices that a sample leaves them all unread in one of
 * twenty draws.
 */
export class RangeTotals implements SampleEstimates {
  readonly confidence = 0.95;
  readonly #parts: readonly PartSums[];
  #slices = 0;

  constructor(
    parts: number,
    private readonly slicesPerPart: number,
    private readonly empty: Figures,
  ) {
    this.#parts = Array.from({ length: parts }, () => ({
      figures: [...empty],
      squares: [...empty],
      withEvents: empty.slice(0, RULES),
    }));
  }

  /** Figures of all slices together. */
  get seen(): Figures {
    return this.empty.map((_, place) => this.#seenAt(place));
  }

  /** Whether all slices were read. */
  get isWhole(): boolean {
    return this.#slices === this.#parts.length * this.slicesPerPart;
  }

  get weight(): number {
    return this.slicesPerPart / this.#read;
  }

  /** Adds the figures of a slice of a part. */
  add(part: number, figures: Figures): void {
    const sums = this.#parts[part];
    if (sums === undefined) return;
    this.#slices += 1;
    const add = (to: Figures, place: number, value: number) =>
      (to[place] = (to[place] ?? 0) + value);
    for (const [place, value] of figures.entries()) {
      add(sums.figures, place, value);
      add(sums.squares, place, value ** 2);
      if (place < RULES)
        add(sums.withEvents, place, value * (figures[EVENTS] ?? 0));
    }
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

  /** The number of slices of each part that were read. */
  get #read(): number {
    return this.#slices / this.#parts.length;
  }

  #seenAt(place: number): number {
    return this.#parts.reduce(
      (sum, { figures }) => sum + (figures[place] ?? 0),
      0,
    );
  }

  /**
   * The bounds of a figure's share of all events. Both numbers are estimated from the
   * same slices, so the share is more certain than each number. Its variance is the
   * variance of the figure minus its share of the events, slice by slice.
   */
  #percentOf(place: number): { low: number; high: number } {
    const [seen, all] = [this.#seenAt(place), this.#seenAt(EVENTS)];
    if (all === 0) return { low: 0, high: 100 };
    const unseen = Math.min(1, this.#mostUnseen() / (all * this.weight));
    const most = Math.ceil(1e4 * unseen) / 100;
    if (seen === 0) return { low: 0, high: most };
    if (seen === all) return { low: 100 - most, high: 100 };
    const share = seen / all;
    const independent = seen * (1 - share) * this.weight * (this.weight - 1);
    const error =
      this.#errorOf(place, share, independent) / (all * this.weight);
    return {
      low: Math.floor(1e4 * Math.max(0, share - error)) / 100,
      high: Math.ceil(1e4 * Math.min(1, share + error)) / 100,
    };
  }

  #boundsOf(place: number): Required<Omit<Estimate, "percent">> {
    const seen = this.#seenAt(place);
    if (seen === 0) return { value: 0, low: 0, high: this.#mostUnseen() };
    const value = seen * this.weight;
    const independent = seen * this.weight * (this.weight - 1);
    const error = this.#errorOf(place, 0, independent);
    return {
      value: Math.round(value),
      low: Math.max(seen, Math.floor(value - error)),
      high: Math.ceil(value + error),
    };
  }

  /** The margin of error of a figure minus `share` of the events. The variance is at least `least`. */
  #errorOf(place: number, share: number, least: number): number {
    const [n, k] = [this.slicesPerPart, this.#read];
    let [variance, squares] = [0, 0];
    for (const part of this.#parts) {
      const at = (sums: Figures, where = place) => sums[where] ?? 0;
      const sum = at(part.figures) - share * at(part.figures, EVENTS);
      const products =
        share === 0
          ? at(part.squares)
          : at(part.squares) -
            2 * share * at(part.withEvents) +
            share ** 2 * at(part.squares, EVENTS);
      const spread = Math.max(0, products - sum ** 2 / k) / (k - 1);
      // The variance of an estimate for k of n slices drawn without replacement.
      const own = (n * (n - k) * spread) / k;
      variance += own;
      // Each part counts as one degree: events come in bursts, so that more slices of a
      // part tell less of its variance than independent values would.
      squares += own ** 2;
    }
    const degrees = squares === 0 ? Infinity : variance ** 2 / squares;
    return studentT(degrees) * Math.sqrt(Math.max(variance, least));
  }

  /**
   * The probability that given slices all stay unread is at most (1 - k / n) to the
   * power of their number, also for slices of several parts: the rule of three, for k
   * slices of n.
   */
  #mostUnseen(): number {
    const unread =
      Math.log(1 - this.confidence) /
      Math.log(1 - this.#read / this.slicesPerPart);
    const eventsOfSlice = this.#seenAt(EVENTS) / this.#slices;
    return Math.ceil(unread * eventsOfSlice);
  }
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
