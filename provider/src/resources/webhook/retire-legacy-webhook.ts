import type { Client, Webhook } from "@devid/sdk";
import type { OperationContext } from "../../definition/define-resource";
import { orMissing } from "../../session/answers";
import { OperationError } from "../../definition/errors";

/**
 * The legacy webhook that another webhook replaces (docs/contract.md, "Webhook
 * delivery"); undefined when it is gone.
 * @throws OperationError for a webhook that is not a legacy one: such a webhook is never deleted
 */
export async function legacyWebhook(
  client: Client,
  id: string,
): Promise<Webhook | undefined> {
  const found = await orMissing(client.webhooks.get(id));
  if (!found || found.legacy) return found;
  throw new OperationError(
    `Webhook ${id} is not a legacy webhook, so it is not replaced and stays. ` +
      `Set replacesLegacy to the ID of a legacy webhook, or leave it out.`,
  );
}

/**
 * Deletes the legacy webhook if the webhook that replaces it was verified before
 * this update. Otherwise both stay, and a message says what to do.
 * @returns whether the legacy webhook is gone
 */
export async function retireLegacyWebhook(
  { client, log }: OperationContext,
  webhook: Webhook,
  legacyId: string,
): Promise<boolean> {
  if (legacyId === webhook.id)
    throw new OperationError(
      `Webhook ${legacyId} cannot replace itself: replacesLegacy and adopt name the same webhook. Leave one of them out.`,
    );
  if (!webhook.verified) {
    await log(
      "info",
      `The legacy webhook ${legacyId} stays for now, because its replacement, webhook ${webhook.id}, was not verified before this update and has delivered nothing yet. ` +
        `The next update that finds it verified (by a WebhookVerification, or in the dashboard) deletes ${legacyId}.`,
    );
    return false;
  }
  if (await legacyWebhook(client, legacyId)) {
    await orMissing(client.webhooks.delete(legacyId));
    await log(
      "info",
      `The legacy webhook ${legacyId} was deleted; ${webhook.id} has taken its place.`,
    );
  } else
    await log(
      "info",
      `The legacy webhook ${legacyId} does not exist, so nothing was deleted.`,
    );
  return true;
}
