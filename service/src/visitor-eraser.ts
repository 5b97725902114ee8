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

/**
 * Deletes the visitors that are due: their traces, their events, and the decisions and
 * deliveries about those events. It runs before each request, which therefore never finds
 * a visitor that is due. The store knows which visitors are due, so a service that was
 * killed goes on after its next start.
 */
export function eraseDueVisitors(store: Store, nowMs: number): void {
  for (;;) {
    const due = store.visitorDeletions.firstDue(nowMs);
    if (!due) return;
    const { seq, workspace, visitor_id: visitorId, asked_at } = due;
    store.transaction(() => {
      store.visitors.delete(workspace, visitorId);
      store.relatedVisitors.delete(workspace, visitorId);
      const sinceMs = asked_at - REACH_MS;
      store.events.deleteOf({ workspace, visitorId, sinceMs });
      store.decisions.deleteWithoutEvent(workspace);
      store.deliveries.deleteWithoutEvent(workspace);
      store.visitorDeletions.carriedOut(seq);
    });
  }
}

/**
 * Lets no deletion wait for longer than 5 minutes after the clock was moved back, by a
 * control call or by a restart.
 */
export function limitErasureWaits(store: Store, nowMs: number): void {
  store.visitorDeletions.dueBy(nowMs + ERASED_AFTER_MS);
}
