import type { Event, Region } from "@devid/sdk";
import { LEGACY_PRODUCTS } from "@devid/sdk/wire";
import type { Context } from "../context";
import {
  botOf,
  legacyEvent,
  legacyIdentification,
} from "../server-api/legacy/legacy-event";
import { hiddenMembers, settingsOf } from "../server-api/settings";
import { visibleEvent } from "../server-api/visible-events";

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

/** Products whose data stand among the other members. */
const SPREAD = ["identification", "incognito", "botd"];

/**
 * An event in the flat shape that legacy webhooks send (docs/assumptions.md,
 * A82): what version 3 has under `products.identification.data`, and beside it
 * every other product under its own name. Bot detection is `bot`, and incognito
 * the plain value that identification has of it.
 */
function legacyPayload(event: Event): object {
  const { products } = legacyEvent(event);
  const named = LEGACY_PRODUCTS.filter((name) => !SPREAD.includes(name));
  return {
    ...legacyIdentification(event),
    userAgent: event.user_agent,
    environmentId: event.environment_id,
    bot: botOf(event)?.bot,
    ...Object.fromEntries(named.map((name) => [name, products[name]?.data])),
  };
}
