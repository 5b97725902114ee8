/** A budget has no time left. The caller then answers "cannot tell". */
export class BudgetSpentError extends Error {
  override readonly name = "BudgetSpentError";
}

/** One error for all budgets: a stack trace takes longer than the work that it ends. */
const SPENT = new BudgetSpentError("The time for this is over.");

/** A unit of work, in milliseconds: about one step of the solver. */
const UNIT_MS = 1e-4;

/**
 * Units of work between two readings of the clock: about three milliseconds. A reading
 * may take a tenth of that.
 */
const WORK_BETWEEN_LOOKS = 30_000;

/** The clock of a budget and of its parts, which is read now and then. */
class Meter {
  /** The time at the last reading. */
  nowMs: number;
  #untilLook = WORK_BETWEEN_LOOKS;

  constructor(private readonly clock: () => number) {
    this.nowMs = clock();
  }

  count(work: number): void {
    this.#untilLook -= work;
    if (this.#untilLook <= 0) this.look();
  }

  look(): number {
    this.#untilLook = WORK_BETWEEN_LOOKS;
    this.nowMs = this.clock();
    return this.nowMs;
  }
}

/**
 * A limit on the time of a calculation. Every function that may take long gets the
 * budget, and calls `spend` before it works.
 *
 * The limit is in processor time of this process, so that a busy machine finds as much
 * as an idle one. Counting steps is not enough: one step over a long list or a large
 * pattern takes as long as ten thousand other steps.
 */
export class Budget {
  readonly #meter: Meter;
  readonly #end: number;

  /** @param clock the time so far, in milliseconds; tests give their own */
  constructor(
    readonly limitMs: number,
    clock: (() => number) | Budget = processorTime,
  ) {
    const isPart = clock instanceof Budget;
    this.#meter = isPart ? clock.#meter : new Meter(clock);
    const latest = isPart ? clock.#end : Infinity;
    this.#end = Math.min(this.#meter.nowMs + limitMs, latest);
  }

  /** A budget for a part of the work, which ends with this one at the latest. */
  part(limitMs: number): Budget {
    return new Budget(limitMs, this);
  }

  /** The remaining milliseconds; 0 or less if the budget is spent. */
  get leftMs(): number {
    return this.#end - this.#meter.look();
  }

  /** Whether no time is left. */
  get isSpent(): boolean {
    // Once the end has passed, the clock need not be read.
    return this.#meter.nowMs >= this.#end || this.leftMs <= 0;
  }

  /**
   * Subtracts work from the budget before the work is done, in units of about 0.1
   * microseconds.
   * @throws BudgetSpentError if too little is left for that work
   */
  spend(work = 1): void {
    // Work that is not done does not count.
    if (this.#meter.nowMs >= this.#end) throw SPENT;
    this.#meter.count(work);
    const leftMs = this.#end - this.#meter.nowMs;
    const expectedMs = work > WORK_BETWEEN_LOOKS ? work * UNIT_MS : 0;
    if (leftMs <= expectedMs) throw SPENT;
  }

  /** The result of a calculation; undefined if the budget ran out. */
  attempt<Result>(calculate: () => Result): Result | undefined {
    try {
      return calculate();
    } catch (error) {
      if (error instanceof BudgetSpentError) return undefined;
      throw error;
    }
  }
}

/** The processor time that this process has taken, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
