import type { Event } from "@devid/sdk";
import { LEGACY_PRODUCTS } from "@devid/sdk/wire";
import { legacyEvent } from "../legacy/from-event";
import { legacyIdentification } from "../legacy/from-identification";
import { botOf } from "../legacy/from-signals";

/** Products whose data stand among the other members. */
const SPREAD = ["identification", "incognito", "botd"];

/**
 * An event in the flat shape that legacy webhooks send (docs/assumptions.md,
 * A82): what version 3 has under `products.identification.data`, and beside it
 * every other product under its own name. Bot detection is `bot`, and incognito
 * the plain value that identification has of it.
 */
export function legacyPayload(event: Event): object {
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
