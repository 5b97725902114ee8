import { setTimeout as sleep } from "node:timers/promises";
import type { Webhook } from "@devid/sdk";
import type { OperationContext } from "../../definition/define-resource";

/**
 * Has the service send a webhook its test event, and waits until it was
 * answered (docs/contract.md, "POST /webhooks/{id}/verification").
 * @throws Error when that took longer than `timeoutSeconds`
 */
export async function verifyWebhook(
  { client, session }: OperationContext,
  webhook: Webhook,
  timeoutSeconds: number,
): Promise<void> {
  let seen = await client.webhooks.startVerification(webhook.id);
  const deadline = performance.now() + timeoutSeconds * 1000;
  // The answer comes when the test event was sent, not when it was answered.
  while (!seen.verified) {
    if (performance.now() > deadline)
      throw new Error(
        `Webhook ${webhook.id} was not verified within ${timeoutSeconds} s: ${webhook.url} must answer the service's test event with HTTP 200. ` +
          `It exists and gets no events yet; see to its endpoint and run this again, or leave verify out.`,
      );
    await sleep(500, undefined, { signal: session.signal });
    seen = await client.webhooks.get(webhook.id);
  }
}
