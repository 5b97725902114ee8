/** Thrown by a budget that is spent. Whoever asked the question answers "cannot tell". */
export class BudgetSpentError extends Error {
  override readonly name = "BudgetSpentError";
}

/** One error for all budgets: a stack trace takes longer than the work that it ends. */
const SPENT = new BudgetSpentError("The time for this is over.");

/** A unit of work, in milliseconds: about what one step of the solver takes. */
const UNIT_MS = 1e-4;

/** How much work is done between two looks at the clock: about a millisecond's. A look takes some microseconds. */
const WORK_BETWEEN_LOOKS = 10_000;

/**
 * A limit on the time that a calculation takes: whatever may take long is given
 * the budget and says how much work it is about to do.
 *
 * The limit is in processor time of this process, so that a busy machine finds
 * as much as an idle one. A count of steps alone would not do: one step of a
 * long list or a large pattern takes as long as ten thousand of others.
 */
export class Budget {
  readonly #end: number;
  #untilLook = 0;
  /** Whether the clock was seen behind the end. It need not be looked at again then. */
  #isOver = false;

  /** @param clock the time so far, in milliseconds; tests give their own */
  constructor(
    readonly limitMs: number,
    private readonly clock: () => number = processorTime,
    latest = Infinity,
  ) {
    this.#end = Math.min(clock() + limitMs, latest);
  }

  /** A budget for a part of the work, which ends with this one at the latest. */
  part(limitMs: number): Budget {
    return new Budget(limitMs, this.clock, this.#end);
  }

  /** What is left, in milliseconds; 0 or less where the budget is spent. */
  get leftMs(): number {
    return this.#end - this.clock();
  }

  /** Whether nothing is left. */
  get isSpent(): boolean {
    this.#isOver ||= this.leftMs <= 0;
    return this.#isOver;
  }

  /**
   * Says what is done next, in units of about 0.1 microseconds.
   * @throws BudgetSpentError where nothing is left, or too little for so much work
   */
  spend(work = 1): void {
    this.#untilLook -= work;
    if (this.#untilLook > 0) return;
    if (this.isSpent) throw SPENT;
    if (work > WORK_BETWEEN_LOOKS && this.leftMs < work * UNIT_MS) throw SPENT;
    this.#untilLook = WORK_BETWEEN_LOOKS;
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
