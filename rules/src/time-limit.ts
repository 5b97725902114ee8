/**
 * The end of some work, in processor time of this process, so that a busy machine finds
 * as much as an idle one. Work looks at it between two findings, and says what it did
 * not look at.
 */
export class TimeLimit {
  readonly #endMs: number;

  constructor(
    readonly limitMs: number,
    whole?: TimeLimit,
  ) {
    const latest = whole ? whole.#endMs : Infinity;
    this.#endMs = Math.min(processorTime(limitMs) + limitMs, latest);
  }

  /** A limit for a part of the work, which ends with the whole at the latest. */
  part(limitMs: number): TimeLimit {
    return new TimeLimit(limitMs, this);
  }

  /** The remaining milliseconds; 0 or less if the time is over. */
  get leftMs(): number {
    return this.#endMs - processorTime(this.limitMs);
  }

  get isOver(): boolean {
    return this.leftMs <= 0;
  }
}

/** Most milliseconds between two readings of the processor's clock. On a busy machine, a reading takes as long as a search. */
const MAX_AGE_MS = 100;

let last = { atMs: -Infinity, takenMs: 0 };

/** The processor time that this process has taken, in milliseconds; read again if the last reading is older than a hundredth of the limit. */
function processorTime(limitMs: number): number {
  // The first `performance` of a process takes three milliseconds to load.
  const atMs = process.uptime() * 1_000;
  if (Math.abs(atMs - last.atMs) > Math.min(MAX_AGE_MS, limitMs / 100)) {
    const { user, system } = process.cpuUsage();
    last = { atMs, takenMs: (user + system) / 1_000 };
  }
  return last.takenMs;
}
