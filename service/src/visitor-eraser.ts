import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "./clock";
import type { VisitorDeletion } from "./store/visitors";
import type { Store } from "./store/store";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * When a visitor is deleted: 5 minutes after the request (docs/assumptions.md,
 * A186).
 */
export const ERASED_AFTER_MS = 5 * MINUTE_MS;

/**
 * Older events are not deleted: 10 days before the request (docs/contract.md,
 * "DELETE /visitors/{visitor_id}").
 */
const REACH_MS = 10 * DAY_MS;

/** How many events are deleted in one go. */
const SLICE = 500;

/** How long the eraser works before it lets others work. */
const TURN_MS = 20;

/** A longer wait could be wrong: the machine's time may jump, and a write may fail. */
const LONGEST_WAIT_MS = MINUTE_MS;

/**
 * Deletes visitors when they are due by the service's clock. The store knows which
 * visitors are due, so a service that was killed goes on after its next start.
 */
export class VisitorEraser {
  private timer: NodeJS.Timeout | undefined;
  private work: Promise<void> | undefined;
  private isRunning = false;
  private isErasing = false;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    clock.onMove(() => this.wake());
  }

  /** Starts to delete, beginning with what an earlier run has left. */
  start(): void {
    this.isRunning = true;
    this.wake();
  }

  /** Deletes the visitors that are due. The first batch is deleted before this call returns. */
  wake(): void {
    if (!this.isRunning || this.isErasing) return;
    clearTimeout(this.timer);
    this.work = this.erase();
  }

  /** Starts no further deletion and waits for the running one. */
  async close(): Promise<void> {
    this.isRunning = false;
    clearTimeout(this.timer);
    await this.work;
  }

  private async erase(): Promise<void> {
    this.isErasing = true;
    try {
      const { visitorDeletions } = this.store;
      // A clock that was moved back, by a control call or by a restart, lets no
      // deletion wait for longer.
      visitorDeletions.dueBy(this.clock.nowMs() + ERASED_AFTER_MS);
      let turnEndsAt = performance.now() + TURN_MS;
      while (this.isRunning) {
        const due = visitorDeletions.firstDue(this.clock.nowMs());
        if (!due) break;
        eraseSome(this.store, due);
        if (performance.now() < turnEndsAt) continue;
        await setImmediate();
        turnEndsAt = performance.now() + TURN_MS;
      }
      const next = visitorDeletions.nextDueMs();
      if (next !== undefined) this.wait(next - this.clock.nowMs());
    } catch (error) {
      this.log.error({ err: error }, "visitors cannot be deleted");
      this.wait(LONGEST_WAIT_MS);
    } finally {
      this.isErasing = false;
    }
  }

  private wait(ms: number): void {
    if (!this.isRunning) return;
    const waitMs = Math.min(Math.max(ms, 0), LONGEST_WAIT_MS);
    this.timer = setTimeout(() => this.wake(), waitMs);
  }
}

/**
 * Deletes the next batch of what is stored about a visitor: its traces, its events,
 * and the decisions and deliveries about those events.
 */
function eraseSome(
  store: Store,
  { seq, workspace, visitor_id: visitorId, asked_at }: VisitorDeletion,
): void {
  store.transaction(() => {
    store.visitors.delete(workspace, visitorId);
    store.relatedVisitors.delete(workspace, visitorId);
    const sinceMs = asked_at - REACH_MS;
    const which = { workspace, visitorId, sinceMs };
    if (store.events.deleteOf(which, SLICE) === SLICE) return;
    store.decisions.deleteWithoutEvent(workspace);
    store.deliveries.deleteWithoutEvent(workspace);
    store.visitorDeletions.carriedOut(seq);
  });
}
