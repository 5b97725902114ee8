/** The latest time with a plain ISO spelling: the end of the year 9999. */
export const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** If the machine's time goes back by less, as when it is adjusted, no wait gets much longer. */
const JUMP_MS = 1_000;

/**
 * The service's time: the machine's time, plus what the control call `POST
 * /_local/clock` has added. Every timestamp of a record comes from here. A
 * restart drops what was added.
 */
export class Clock {
  private offsetMs = 0;
  private readonly listeners: (() => void)[] = [];
  /** The machine's time at the last call of `nowMs`. */
  private machineMs = 0;

  /** Milliseconds since 1970. At the end of the year 9999, the clock stands still. */
  nowMs(): number {
    const before = this.machineMs;
    this.machineMs = Date.now();
    if (this.machineMs < before - JUMP_MS) this.tellListeners();
    return Math.min(this.machineMs + this.offsetMs, LATEST_MS);
  }

  /** ISO 8601 with milliseconds, as records carry it. */
  now(): string {
    return new Date(this.nowMs()).toISOString();
  }

  /**
   * Moves the clock to a time, from which it runs on. A part of a millisecond is dropped.
   * Returns false and changes nothing for a time before 1970 or after the year 9999.
   */
  moveTo(timeMs: number): boolean {
    if (!(timeMs >= 0 && timeMs <= LATEST_MS)) return false;
    this.move(Math.floor(timeMs) - Date.now());
    return true;
  }

  /** Back to the machine's time. */
  reset(): void {
    this.move(0);
  }

  /**
   * Calls a listener after every move, and after the machine's time was set back, so that
   * code that waits for a time can check again.
   */
  onMove(listener: () => void): void {
    this.listeners.push(listener);
  }

  private move(offsetMs: number): void {
    this.offsetMs = offsetMs;
    this.tellListeners();
  }

  private tellListeners(): void {
    for (const listener of this.listeners) listener();
  }
}
