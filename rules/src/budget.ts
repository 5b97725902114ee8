/** Thrown by a budget that is spent. Whoever asked the question answers "cannot tell". */
export class BudgetSpentError extends Error {
  override readonly name = "BudgetSpentError";
}

/** One error for all budgets: a stack trace takes longer than the work that it ends. */
const SPENT = new BudgetSpentError("The time for this is over.");

/** A unit of work, in milliseconds: about what one step of the solver takes. */
const UNIT_MS = 1e-4;

/** How much work is done between two looks at the clock: about three milliseconds'. A look may take as long as a tenth of that. */
const WORK_BETWEEN_LOOKS = 30_000;

/** The clock of a budget and of its parts, which is looked at once in a while. */
class Meter {
  /** The time at the last look. */
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
 * A limit on the time that a calculation takes: whatever may take long is given
 * the budget and says how much work it is about to do.
 *
 * The limit is in processor time of this process, so that a busy machine finds
 * as much as an idle one. A count of steps alone would not do: one step of a
 * long list or a large pattern takes as long as ten thousand of others.
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

  /** What is left, in milliseconds; 0 or less where the budget is spent. */
  get leftMs(): number {
    return this.#end - this.#meter.look();
  }

  /** Whether nothing is left. */
  get isSpent(): boolean {
    // Once the end has passed, the clock need not be looked at.
    return this.#meter.nowMs >= this.#end || this.leftMs <= 0;
  }

  /**
   * Says what is done next, in units of about 0.1 microseconds.
   * @throws BudgetSpentError where nothing is left, or too little for so much work
   */
  spend(work = 1): void {
    this.#meter.count(work);
    const leftMs = this.#end - this.#meter.nowMs;
    const expectedMs = work > WORK_BETWEEN_LOOKS ? work * UNIT_MS : 0;
    if (leftMs <= expectedMs) throw SPENT;
  }

  /** The result of a calculation; undefined where the budget was spent on the way. */
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
