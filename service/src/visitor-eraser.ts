import type { Clock } from "./clock";
import type { Store } from "./store/store";
import type { VisitorDeletion } from "./store/visitors";

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

/** Most events and visitors that are deleted at a time, which takes about 30 ms. */
export const SLICE = 1_000;

/**
 * Deletes the visitors that are due: their traces, their events, and the decisions and
 * deliveries about those events. Call `eraseDue` before each request, which then never
 * finds a visitor that is due, except for one with very many events: those are deleted in
 * slices, between which requests are answered. The store knows which visitors are due, so
 * a service that was killed goes on after its next start.
 */
export class VisitorEraser {
  /** The next slice, which runs after the requests that have arrived. */
  private next: NodeJS.Immediate | undefined;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Deletes a slice now, and the others between requests. */
  eraseDue(): void {
    if (this.next || !this.firstDue()) return;
    const isDone = this.store.transaction(() => this.eraseSlice());
    if (isDone) return this.store.checkpoint();
    this.next = setImmediate(() => {
      this.next = undefined;
      try {
        this.eraseDue();
      } catch {
        // The next request tries again, and is answered with the error, such as a full disk.
      }
    });
  }

  /** Leaves what is still due to the next start. */
  stop(): void {
    clearImmediate(this.next);
  }

  private firstDue(): VisitorDeletion | undefined {
    return this.store.visitors.firstDeletionDue(this.clock.nowMs());
  }

  /** Deletes one slice, and returns whether nothing more is due. */
  private eraseSlice(): boolean {
    const { visitors, events } = this.store;
    const finished = new Set<VisitorDeletion["workspace"]>();
    let left = SLICE;
    let due = this.firstDue();
    while (due && left > 0) {
      const { seq, workspace, visitor_id: visitorId, asked_at } = due;
      visitors.delete(workspace, visitorId);
      const sinceMs = asked_at - REACH_MS;
      left -= 1 + events.deleteOf({ workspace, visitorId, sinceMs }, left);
      if (left < 0) break;
      visitors.deletionDone(seq);
      finished.add(workspace);
      due = this.firstDue();
    }
    // Both read the whole log, so they run once for all visitors of a slice.
    for (const workspace of finished) {
      this.store.decisions.deleteWithoutEvent(workspace);
      this.store.deliveries.deleteWithoutEvent(workspace);
    }
    return !due;
  }
}

/**
 * Lets no deletion wait for longer than 5 minutes after the clock was moved back, by a
 * control call, by a restart or with the machine's time.
 */
export function limitErasureWaits(store: Store, nowMs: number): void {
  store.visitors.deletionsDueBy(nowMs + ERASED_AFTER_MS);
}
