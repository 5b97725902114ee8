import { signWebhook, WEBHOOK_SIGNATURE_HEADER } from "@devid/sdk/webhooks";
import type { AttemptEnd, DeliveryRow } from "../store/records/deliveries";
import type { WebhookRow } from "../store/records/webhooks";
import type { Store } from "../store/store";

/** One sending of a delivery. */
export interface Attempt {
  readonly delivery: DeliveryRow;
  /** From 1; every other one is a retry. */
  readonly attempt: number;
  /** The url of the webhook by now. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Notes an attempt of each delivery to a webhook that is due, at most `limit`,
 * and answers them to be made. What the webhook may not have any more is
 * dropped (docs/assumptions.md, A80).
 */
export function beginAttempts(
  store: Store,
  webhookId: string,
  nowMs: number,
  limit: number,
): Attempt[] {
  const { deliveries, webhooks } = store;
  return store.transaction(() =>
    deliveries.due(webhookId, nowMs, limit).flatMap((delivery) => {
      const { seq, workspace, body } = delivery;
      const webhook = webhooks.get(workspace, webhookId);
      if (!webhook || !mayHave(webhook, delivery, store)) {
        deliveries.setState(seq, "dropped");
        return [];
      }
      const { url } = webhook;
      const attempt = deliveries.attempts(seq).length + 1;
      const signature = signWebhook(body, webhook.signing_key);
      deliveries.begin(seq, { attempt, url, signature, at: nowMs });
      deliveries.setState(seq, "sending");
      const headers = headersOf(webhook, signature);
      return [{ delivery, attempt, url, headers }];
    }),
  );
}

/** A test event goes to any webhook, for it is what verifies one; an event to those that would get it if it were new. */
function mayHave(
  { id, workspace }: WebhookRow,
  { kind, event_id }: DeliveryRow,
  { events, webhooks }: Store,
): boolean {
  if (kind === "test") return true;
  const environment = events.get(workspace, event_id)?.environment_id;
  return webhooks
    .receiving(workspace, environment ?? undefined)
    .some((webhook) => webhook.id === id);
}

/** Nothing but these (docs/assumptions.md, A81). */
function headersOf({ basic_auth }: WebhookRow, signature: string) {
  return {
    "content-type": "application/json",
    "user-agent": "devid",
    [WEBHOOK_SIGNATURE_HEADER]: signature,
    ...(basic_auth !== null && { authorization: basicOf(basic_auth) }),
  };
}

function basicOf(stored: string): string {
  // What is stored was checked when it was stored.
  const { username, password } = JSON.parse(stored) as Record<string, string>;
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

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
