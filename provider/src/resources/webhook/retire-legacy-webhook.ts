import type { Client, Webhook } from "@devid/sdk";
import type { OperationContext } from "../../definition/define-resource";
import { orMissing } from "../../session/or-missing";

/**
 * The legacy webhook that another one is to replace (docs/contract.md,
 * "Webhook delivery"); undefined when it is gone.
 * @throws Error when it is no legacy webhook: those are never deleted
 */
export async function legacyWebhook(
  client: Client,
  id: string,
): Promise<Webhook | undefined> {
  const found = await orMissing(client.webhooks.get(id));
  if (!found || found.legacy) return found;
  throw new Error(
    `Webhook ${id} is not a legacy webhook, so nothing replaces it and it stays. ` +
      `Give the ID of a legacy one in replacesLegacy, or leave it out.`,
  );
}

/**
 * Deletes the legacy webhook when the one in its place was verified before this
 * update; else both stay, and the person is told what is to do. Answers whether
 * it is gone.
 */
export async function retireLegacyWebhook(
  { client, tell }: OperationContext,
  webhook: Webhook,
  legacyId: string,
): Promise<boolean> {
  if (legacyId === webhook.id)
    throw new Error(
      `Webhook ${legacyId} cannot replace itself: replacesLegacy and adopt name the same one. Leave one of them out.`,
    );
  if (!webhook.verified) {
    await tell(
      "info",
      `The legacy webhook ${legacyId} stays for now: webhook ${webhook.id}, which is to replace it, was not verified before this update and has delivered nothing yet. ` +
        `The next update that finds it verified (verify: true, or the dashboard) deletes ${legacyId}.`,
    );
    return false;
  }
  if (await legacyWebhook(client, legacyId)) {
    await orMissing(client.webhooks.delete(legacyId));
    await tell(
      "info",
      `The legacy webhook ${legacyId} was deleted; ${webhook.id} has taken its place.`,
    );
  } else
    await tell(
      "info",
      `The legacy webhook ${legacyId} is not there: nothing was deleted.`,
    );
  return true;
}
