import type { Event, Region } from "@devid/sdk";
import type { Context } from "../context";
import {
  LEGACY_PRODUCTS,
  legacyEvent,
} from "../server-api/version-3-until-2027-01-07/legacy-event";
import { hiddenMembers, settingsOf } from "../workspace/settings";
import { visibleEvent } from "../server-api/visible-events";

/**
 * Queues an event that a visit has caused for its webhooks: the enabled and
 * verified ones of its environment or of the whole workspace (docs/contract.md,
 * "Webhook delivery"). Call it inside the transaction that stores the event
 * (`store.transaction`), so that the event and its deliveries are stored
 * together or not at all. Sending starts after the transaction.
 */
export function announceEvent(
  { store, clock, courier }: Pick<Context, "store" | "clock" | "courier">,
  workspace: Region,
  event: Event,
): void {
  const { event_id, environment_id } = event;
  const receiving = store.webhooks.receiving(workspace, environment_id ?? null);
  if (receiving.length === 0) return;
  // The body is fixed now: a retry sends the same text, even when the event has
  // been changed since.
  const hidden = hiddenMembers(settingsOf(store, workspace).signals);
  const visible = visibleEvent(JSON.stringify(event), { hidden });
  for (const { id: webhook, legacy } of receiving)
    courier.take({
      workspace,
      webhook,
      kind: "event",
      event_id,
      body: JSON.stringify(legacy ? legacyPayload(visible, hidden) : visible),
      made_at: clock.nowMs(),
    });
}

/** Products of version 3 whose data become members of the whole payload. */
const SPREAD = ["identification", "incognito", "botd"];

/**
 * An event in the flat form that legacy webhooks send (docs/assumptions.md,
 * A82). It holds the members of `products.identification.data` of version 3,
 * and every other product under its own name. Bot detection is called `bot`,
 * and `incognito` is a plain boolean.
 */
function legacyPayload(event: Event, hidden: ReadonlySet<string>): object {
  const { products } = legacyEvent(event, hidden);
  const { identification, botd } = products;
  const { bot } = { ...botd?.data } as { readonly bot?: object };
  const named = LEGACY_PRODUCTS.filter((name) => !SPREAD.includes(name));
  return {
    ...identification?.data,
    userAgent: event.user_agent ?? undefined,
    environmentId: event.environment_id ?? undefined,
    clientReferrer: event.client_referrer ?? undefined,
    bot,
    ...Object.fromEntries(named.map((name) => [name, products[name]?.data])),
  };
}
