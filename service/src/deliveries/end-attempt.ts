import type { AttemptEnd, DeliveryRow } from "../store/deliveries";
import type { Store } from "../store/store";
import type { Attempt } from "./begin-attempts";

/** When a failed delivery is repeated, once (docs/contract.md, "Webhook delivery"). */
const RETRY_MS = 5 * 60_000;

/**
 * Notes how an attempt ended and what follows: an event that was not taken is
 * sent once more, 5 minutes later; a test event is not, and one that was taken
 * verifies its webhook.
 */
export function endAttempt(
  store: Store,
  { delivery, attempt, url }: Attempt,
  end: AttemptEnd,
  nowMs: number,
): void {
  const { deliveries, webhooks } = store;
  const { seq, kind, webhook } = delivery;
  store.transaction(() => {
    deliveries.end(seq, attempt, end);
    if (isTaken(kind, end)) {
      deliveries.setState(seq, "delivered");
      if (kind === "test") webhooks.verify(webhook, url);
    } else if (kind === "event" && attempt === 1) {
      deliveries.setState(seq, "pending", nowMs + RETRY_MS);
    } else {
      deliveries.setState(seq, "failed");
    }
  });
}

/**
 * Takes up what an earlier run left under way when it was killed. Whether it
 * arrived is not known: an event is sent again, as a retry, whichever attempt
 * that was (docs/assumptions.md, A150).
 */
export function endInterrupted(store: Store): void {
  const { deliveries } = store;
  store.transaction(() => {
    for (const { seq, kind } of deliveries.inState("sending")) {
      const last = deliveries.attempts(seq).at(-1);
      if (!last) continue;
      deliveries.end(seq, last.attempt, INTERRUPTED);
      if (kind === "event")
        deliveries.setState(seq, "pending", last.at + RETRY_MS);
      else deliveries.setState(seq, "failed");
    }
  });
}

/**
 * Lets no retry wait for more than its 5 minutes, where the clock was moved
 * back, or is back after a restart.
 */
export function holdRetries({ deliveries }: Store, nowMs: number): void {
  deliveries.dueBy(nowMs + RETRY_MS);
}

const INTERRUPTED: AttemptEnd = {
  took_ms: null,
  status: null,
  answer_headers: null,
  answer_body: null,
  error: "The service ended before it had the answer.",
};

/** 2xx, and for a test event 200 alone (docs/contract.md, "POST /webhooks/{id}/verification"). */
function isTaken(kind: DeliveryRow["kind"], { status }: AttemptEnd): boolean {
  if (status === null) return false;
  return kind === "test" ? status === 200 : status >= 200 && status < 300;
}
