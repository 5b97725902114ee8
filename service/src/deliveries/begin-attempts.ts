import { createHmac } from "node:crypto";
import { WEBHOOK_SIGNATURE_HEADER } from "@devid/sdk/webhooks";
import type { DeliveryRow } from "../store/deliveries";
import type { Store } from "../store/store";
import type { WebhookRow } from "../store/webhooks";

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
      const signature = signatureOf(body, webhook.signing_key);
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

/** The value of the signature header (docs/contract.md, "Webhook delivery"). */
function signatureOf(body: string, signingKey: string): string {
  return `v1=${createHmac("sha256", signingKey).update(body).digest("hex")}`;
}
