import type { Context } from "../context";
import { newEventId } from "../store/identity";
import type { WebhookRow } from "../store/webhooks";

/**
 * Sends a webhook its test event, in the background (docs/contract.md, "POST
 * /webhooks/{id}/verification"). No visitor caused that event, and no call
 * finds it; its form is our own choice (docs/assumptions.md, A47).
 */
export function startVerification(
  { store, clock, courier }: Pick<Context, "store" | "clock" | "courier">,
  { workspace, id: webhook, environment }: WebhookRow,
): void {
  const timestamp = clock.nowMs();
  const event_id = newEventId(timestamp);
  store.deliveries.add({
    workspace,
    webhook,
    kind: "test",
    event_id,
    body: JSON.stringify({
      event_id,
      timestamp,
      ...(environment !== null && { environment_id: environment }),
      replayed: false,
    }),
    made_at: timestamp,
  });
  courier.wake();
}
