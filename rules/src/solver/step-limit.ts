/** A search has taken all its steps. The answer is then "cannot tell". */
export class OutOfStepsError extends Error {
  override readonly name = "OutOfStepsError";
}

/** One error for all searches: a stack trace takes longer than the work that it ends. */
const OUT_OF_STEPS = new OutOfStepsError("The search has taken all its steps.");

/**
 * A limit on the steps of one search, each about 0.1 microseconds. Steps are counted
 * instead of time, so that two machines find the same.
 */
export class StepLimit {
  constructor(private left: number) {}

  /**
   * Counts steps before they are taken.
   * @throws OutOfStepsError
   */
  take(steps = 1): void {
    this.left -= steps;
    if (this.left < 0) throw OUT_OF_STEPS;
  }
}
