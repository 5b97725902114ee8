import type { Client, Webhook } from "@devid/sdk";
import { orMissing } from "../../session/or-missing";
import type { OperationContext } from "../../definition/define-resource";

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
 * Deletes the legacy webhook once the one in its place is verified; until then
 * both run, and the person is told what is to do. Answers whether it is gone.
 */
export async function replaceLegacyWebhook(
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
      `Webhook ${webhook.id} runs beside the legacy webhook ${legacyId}, which stays until ${webhook.id} is verified. ` +
        `Set verify: true, or have it verified in the dashboard; the next update then deletes ${legacyId}.`,
    );
    return false;
  }
  if (await legacyWebhook(client, legacyId)) {
    await orMissing(client.webhooks.delete(legacyId));
    await tell(
      "info",
      `Webhook ${webhook.id} is verified; the legacy webhook ${legacyId} was deleted.`,
    );
  } else
    await tell(
      "info",
      `The legacy webhook ${legacyId} is not there: nothing was deleted.`,
    );
  return true;
}
