import { createHmac } from "node:crypto";
import { WEBHOOK_SIGNATURE_HEADER } from "@devid/sdk/webhooks";
import {
  type AttemptEnd,
  type DeliveryRow,
  PENDING_DELIVERIES_KEPT,
} from "../store/records/deliveries";
import type { WebhookRow } from "../store/database/schema";
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
 * Stores an attempt for each due delivery of a webhook, at most `limit`, and
 * answers the attempts for the caller to make. A delivery that its webhook may
 * no longer get is dropped (docs/assumptions.md, A80), and one that is too old
 * is given up.
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
      const webhook = webhooks.get(workspace, webhookId);
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
 * Whether a webhook may get a delivery. It may always get a test event, which
 * is what verifies it, and an event only if it would get that event now.
 */
function mayGet(
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

/**
 * The headers of a delivery; there are no others (docs/assumptions.md, A81).
 */
function headersOf({ basic_auth }: WebhookRow, signature: string) {
  return {
    "content-type": "application/json",
    "user-agent": "devid",
    [WEBHOOK_SIGNATURE_HEADER]: signature,
    ...(basic_auth !== null && { authorization: basicOf(basic_auth) }),
  };
}

function basicOf(stored: string): string {
  // Stored credentials were checked when they were stored.
  const { username, password } = JSON.parse(stored) as Record<string, string>;
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** The value of the signature header (docs/contract.md, "Webhook delivery"). */
function signatureOf(body: string, signingKey: string): string {
  return `v1=${createHmac("sha256", signingKey).update(body).digest("hex")}`;
}

/**
 * After which time a failed delivery is sent a second and last time
 * (docs/contract.md, "Webhook delivery").
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
 * Ends the attempts that an earlier run of the service has left under way.
 * Nobody knows whether they arrived, so an event is sent again, even after a
 * retry (docs/assumptions.md, A150).
 */
export function endInterrupted(store: Store, nowMs: number): void {
  const { deliveries } = store;
  store.transaction(() => {
    for (const { seq, kind } of deliveries.underWay()) {
      const last = deliveries.attempts(seq).at(-1);
      if (!last) continue;
      deliveries.end(seq, last.attempt, INTERRUPTED);
      if (kind === "event") deliveries.postpone(seq, last.at + RETRY_MS);
      else deliveries.close(seq, "failed", nowMs);
    }
  });
}

/**
 * Lets no retry wait for longer than its 5 minutes. It could, when the clock
 * was moved back, by a control call or by a restart.
 */
export function limitRetryWaits({ deliveries }: Store, nowMs: number): void {
  deliveries.dueBy(nowMs + RETRY_MS);
}

const INTERRUPTED: AttemptEnd = {
  took_ms: null,
  status: null,
  answer_headers: null,
  answer_body: null,
  error: "The service ended before it had the answer.",
};

/**
 * Whether an answer confirms a delivery: 2xx for an event, 200 alone for a test
 * event (docs/contract.md, "POST /webhooks/{id}/verification").
 */
function isTaken(kind: DeliveryRow["kind"], { status }: AttemptEnd): boolean {
  if (status === null) return false;
  return kind === "test" ? status === 200 : status >= 200 && status < 300;
}
