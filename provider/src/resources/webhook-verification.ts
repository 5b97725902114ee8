import { isLocal, maskUrl, type Client, type Webhook } from "@devid/sdk";
import { WebhookUrl } from "@devid/sdk/wire";
import { setTimeout as sleep } from "node:timers/promises";
import { hostOf, low } from "../definition/effects";
import { z } from "zod";
import {
  defineResource,
  type FoundObject,
} from "../definition/define-resource";
import { OperationError } from "../definition/errors";
import {
  copiedFrom,
  immutable,
  references,
  setting,
} from "../definition/field";
import { urlFailures } from "./webhook/url-failures";

const inputs = z.object({
  webhookId: immutable(references("Webhook", z.string().min(1))).describe(
    "ID of the webhook.",
  ),
  url: immutable(
    copiedFrom({ reference: "webhookId", output: "url" }, WebhookUrl),
  ).describe(
    "Address of the webhook: its output `url`. A new address is verified anew.",
  ),
  timeoutSeconds: setting(z.number().min(1).max(600))
    .default(60)
    .describe(
      "How long creation waits for the verification, 1 to 600 seconds.",
    ),
});

const verifying = ({ url }: { readonly url?: unknown }) =>
  low(
    `\`${hostOf(url)}\` gets a test event, and the deployment fails if its answer is not 200`,
  );

/**
 * The verification of a webhook by a test event (docs/contract.md, "POST
 * /webhooks/{id}/verification"). The service has no object of this kind. The ID is the
 * webhook's.
 */
export const WebhookVerification = defineResource({
  kind: "WebhookVerification",
  singular: "webhook verification",
  effects: {
    create: ({ is }) => [verifying(is)],
    delete: () => [low("the webhook stays verified")],
    replace: ({ is }) => [verifying(is)],
  },
  description:
    "The verification of a webhook: its creation asks the service to send a test event to the address, and waits until the address has answered HTTP 200. An unverified webhook gets no events.",
  schemaVersion: 1,
  inputs,
  outputs: inputs,
  example: {
    name: "ordersAnswer",
    inputs: {
      webhookId: "wh_7el9easEFEkdHbjk",
      url: "https://shop.example/identified",
    },
    output: "webhookId",
  },
  insteadOfImport:
    "leave it out, because creating a WebhookVerification changes nothing for a verified webhook",
  isPartOf: "Webhook",
  partIn,
  async *list(client, signal, _default, environment) {
    const all = client.webhooks.listAll({ signal, environment });
    for await (const { id, ...outputs } of all) {
      const part = partIn({ id, outputs });
      if (part) yield part;
    }
  },
  title: ({ url = "" }) => url,
  clone: {
    about:
      "The verifications of webhooks: an update waits until each address has answered a test event.",
    notCopied: [
      {
        heading: "Verification of webhooks",
        text: "An update that makes a copy of these webhooks sends a test event to each address, and fails if an address does not answer with HTTP 200. A copy signs with a new key. If a receiver refuses test events with an unknown signature, first bring the copy up without the verifications, `pulumi up --exclude '**WebhookVerification**'`, because an update that fails has no outputs. Give the receiver the key of the copy, and then run `pulumi up`.",
      },
    ],
  },
  validate: ({ url }, { configuration }) =>
    url === undefined ? [] : urlFailures(url, isLocal(configuration)),
  async create({ client, session, inputs }) {
    const { webhookId, url, timeoutSeconds } = inputs;
    const { signal } = session;
    const deadline = performance.now() + timeoutSeconds * 1000;
    let webhook = await ofAddress(client, webhookId, url);
    // A stack that takes over what is there sends no test event again.
    const isTakenOver = webhook.verified && session.settings.adopt === "byName";
    if (!isTakenOver) await client.webhooks.startVerification(webhookId);
    // The call returns when the test event was sent. Only a read shows whether the
    // address has answered it.
    for (
      let waitMs = 100;
      !webhook.verified;
      waitMs = Math.min(waitMs * 2, 2_000)
    ) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) throw notVerified(client, webhook, timeoutSeconds);
      await sleep(Math.min(waitMs, leftMs), undefined, { signal }).catch(() =>
        signal.throwIfAborted(),
      );
      webhook = await ofAddress(client, webhookId, url);
    }
    return { id: webhookId, outputs: {} };
  },
  async read({ client, session, id, last }) {
    const webhook = await session.reads.find(client.webhooks, id);
    if (!webhook?.verified) return undefined;
    if (last && last.url !== webhook.url) return undefined;
    return { webhookId: id, url: webhook.url };
  },
  // Every input that the service could have replaces the resource.
  update: () => Promise.resolve({}),
  // A webhook stays verified.
  delete: () => Promise.resolve(),
});

/** The verification of a webhook. No program declares a legacy webhook. */
function partIn({ id, outputs }: FoundObject): FoundObject | undefined {
  const { url, verified, legacy } = outputs;
  return verified && !legacy
    ? { id, outputs: { webhookId: id, url } }
    : undefined;
}

/** The webhook. @throws OperationError if it has another address */
async function ofAddress(
  client: Client,
  webhookId: string,
  url: string,
): Promise<Webhook> {
  const webhook = await client.webhooks.get(webhookId);
  if (webhook.url === url) return webhook;
  throw new OperationError(
    `Webhook ${webhookId} was not verified: its address is ${maskUrl(webhook.url)}, not ${maskUrl(url)}. Give the WebhookVerification the output url of the webhook.`,
  );
}

function notVerified(
  { configuration }: Client,
  { id, url }: Webhook,
  timeoutSeconds: number,
): OperationError {
  const where = isLocal(configuration)
    ? "the console of the local service shows it under Deliveries"
    : "look for it in the log of the address";
  return new OperationError(
    `Webhook ${id} was not verified within ${timeoutSeconds} s: ${maskUrl(url)} must answer the service's test event with HTTP 200, and did not. ` +
      `The API does not show what the address answered; ${where}. ` +
      `The webhook exists, but gets no events. Correct the address or what answers there, and run the update again.`,
  );
}
