import { createHmac } from "node:crypto";
import { WEBHOOK_SIGNATURE_HEADER } from "@devid/sdk/webhooks";
import {
  type AttemptEnd,
  type DeliveryRow,
  noAnswer,
  PENDING_DELIVERIES_KEPT,
} from "../store/deliveries";
import type { WebhookRow } from "../store/schema";
import type { Store } from "../store/store";

/** An attempt to send a delivery. */
export interface Attempt {
  readonly delivery: DeliveryRow;
  /** Numbered from 1; every later one is a retry. */
  readonly attempt: number;
  /** The webhook's url at the time of the attempt. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What happened to the due deliveries of a webhook. */
export interface Begun {
  /** The attempts to make now. */
  readonly attempts: readonly Attempt[];
  /** Deliveries that were given up, because they have waited for too long. */
  readonly givenUp: readonly DeliveryRow[];
}

const TOO_OLD = `It was not sent within ${PENDING_DELIVERIES_KEPT.ageMs / 86_400_000} days.`;

/**
 * Stores an attempt for each due delivery of a webhook, at most `limit`, and returns
 * the attempts for the caller to make. A delivery that its webhook may no longer get is
 * dropped (docs/assumptions.md, A80). A delivery that is too old is given up.
 */
export function beginAttempts(
  store: Store,
  webhookId: string,
  nowMs: number,
  limit: number,
): Begun {
  const { deliveries, webhooks } = store;
  return store.transaction(() => {
    const attempts: Attempt[] = [];
    const givenUp: DeliveryRow[] = [];
    for (const delivery of deliveries.due(webhookId, nowMs, limit)) {
      const { seq, workspace, body, made_at } = delivery;
      const webhook = webhooks.get({ workspace, id: webhookId });
      if (!webhook || !mayGet(webhook, delivery, store)) {
        deliveries.close(seq, "dropped", nowMs);
      } else if (nowMs - made_at > PENDING_DELIVERIES_KEPT.ageMs) {
        deliveries.close(seq, "given_up", nowMs, TOO_OLD);
        givenUp.push({ ...delivery, reason: TOO_OLD });
      } else {
        const { url } = webhook;
        const attempt = deliveries.attempts(seq).length + 1;
        const signature = signatureOf(body, webhook.signing_key);
        deliveries.begin(seq, { attempt, url, signature, at: nowMs });
        const headers = headersOf(webhook, signature);
        attempts.push({ delivery, attempt, url, headers });
      }
    }
    return { attempts, givenUp };
  });
}

/**
 * Whether a webhook may get a delivery. A test event is always allowed, because it
 * verifies the webhook. An event is allowed only if the webhook would get a new event
 * of the same environment now.
 */
function mayGet(
  { id, workspace }: WebhookRow,
  { kind, event_id }: DeliveryRow,
  { events, webhooks }: Store,
): boolean {
  if (kind === "test") return true;
  const event = events.get(workspace, event_id);
  return webhooks.receives(id, event?.environment_id ?? null);
}

/** All headers of a delivery (docs/assumptions.md, A81). */
function headersOf({ basic_auth }: WebhookRow, signature: string) {
  return {
    "content-type": "application/json",
    "user-agent": "devid",
    [WEBHOOK_SIGNATURE_HEADER]: signature,
    ...(basic_auth !== null && { authorization: basicOf(basic_auth) }),
  };
}

function basicOf(stored: object): string {
  // Stored credentials were checked when they were stored.
  const { username, password } = stored as Record<string, string>;
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** The value of the signature header (docs/contract.md, "Webhook delivery"). */
function signatureOf(body: string, signingKey: string): string {
  return `v1=${createHmac("sha256", signingKey).update(body).digest("hex")}`;
}

/**
 * A failed delivery is sent a second and last time after this time (docs/contract.md,
 * "Webhook delivery").
 */
const RETRY_MS = 5 * 60_000;

/**
 * Stores the end of an attempt and its consequence. A failed event is sent once
 * more 5 minutes later; a failed test event is not. A delivered test event
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
      deliveries.close(seq, "delivered", nowMs);
      if (kind === "test") webhooks.verify(webhook, url);
    } else if (kind === "event" && attempt === 1) {
      deliveries.postpone(seq, nowMs + RETRY_MS);
    } else {
      deliveries.close(seq, "failed", nowMs);
    }
  });
}

/**
 * Ends the attempts that were under way when the service stopped. Such an attempt may
 * have arrived or not, so the event is sent again, even after a retry
 * (docs/assumptions.md, A150).
 */
export function endInterrupted(store: Store, nowMs: number): void {
  const { deliveries } = store;
  store.transaction(() => {
    for (const { seq, kind } of deliveries.underWay()) {
      const last = deliveries.attempts(seq).at(-1);
      if (!last) continue;
      deliveries.end(seq, last.attempt, INTERRUPTED);
      if (kind === "event")
        deliveries.postpone(seq, Date.parse(last.at) + RETRY_MS);
      else deliveries.close(seq, "failed", nowMs);
    }
  });
}

/**
 * Limits the wait of every retry to 5 minutes. After a control call, a restart or the
 * machine's time has moved the clock back, a retry would wait for longer.
 */
export function limitRetryWaits({ deliveries }: Store, nowMs: number): void {
  deliveries.dueBy(nowMs + RETRY_MS);
}

const INTERRUPTED = noAnswer("The service ended before it got the answer.");

/**
 * Whether an answer confirms a delivery: any 2xx for an event, only 200 for a test
 * event (docs/contract.md, "POST /webhooks/{id}/verification").
 */
function isTaken(kind: DeliveryRow["kind"], { status }: AttemptEnd): boolean {
  if (status === null) return false;
  return kind === "test" ? status === 200 : status >= 200 && status < 300;
}
