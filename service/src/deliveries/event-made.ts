import type { Event, Region } from "@devid/sdk";
import type { Context } from "../context";
import { settingsOf } from "../events/settings";
import { hiddenMembers } from "../events/signals";
import { visibleEvent } from "../events/visible-events";
import { legacyPayload } from "./legacy-payload";

/**
 * Lets every webhook know of an event that a visit has caused: enabled and
 * verified ones of its environment or of the whole workspace
 * (docs/contract.md, "Webhook delivery"). Called inside the transaction that
 * stores the event (`store.transaction`), so that neither is without the
 * other; nothing is sent before it is over.
 */
export function eventMade(
  { store, clock, courier }: Pick<Context, "store" | "clock" | "courier">,
  workspace: Region,
  event: Event,
): void {
  const { event_id, environment_id } = event;
  const receiving = store.webhooks.receiving(
    workspace,
    environment_id ?? undefined,
  );
  if (receiving.length === 0) return;
  // Fixed now: a retry sends the same, whatever was changed of the event since.
  const hidden = hiddenMembers(settingsOf(store, workspace).signals);
  const visible = visibleEvent(JSON.stringify(event), { hidden });
  for (const { id: webhook, legacy } of receiving)
    store.deliveries.add({
      workspace,
      webhook,
      kind: "event",
      event_id,
      body: JSON.stringify(legacy === 1 ? legacyPayload(visible) : visible),
      made_at: clock.nowMs(),
    });
  courier.wake();
}
