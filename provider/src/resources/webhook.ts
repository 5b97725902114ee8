import { setTimeout as sleep } from "node:timers/promises";
import {
  isLoopback,
  type Client,
  type Webhook as WebhookAnswer,
} from "@devid/sdk";
import { Status, WebhookUrl } from "@devid/sdk/management/wire";
import { z } from "zod";
import { defineResource } from "../define-resource";
import { revealOnce, secret } from "../field";
import { IncompleteError } from "../incomplete-error";
import { orMissing } from "../or-missing";
import { withoutNulls } from "../without-nulls";

const inputs = z.object({
  url: WebhookUrl.describe(
    "Address that receives the events: https; http to this machine passes with a local endpoint.",
  ),
  description: z.string().optional().describe("Description."),
  status: Status.default("enabled").describe("Whether events are delivered."),
  environment: z
    .string()
    .min(1)
    .optional()
    .describe("Environment ID. Omitted: every environment of the workspace."),
  verify: z
    .boolean()
    .default(false)
    .describe(
      "Have the service send a test event and wait until it was answered with 200. An unverified webhook gets no events.",
    ),
  verifyTimeoutSeconds: z
    .number()
    .min(1)
    .max(600)
    .default(60)
    .describe("How long to wait for the verification, 1 to 600 seconds."),
});

const outputs = inputs.extend({
  verified: z
    .boolean()
    .optional()
    .describe(
      "Whether the address answered a test event; a new url resets it.",
    ),
  signingKey: revealOnce(secret(z.string()))
    .optional()
    .describe(
      "Key of the signature of each delivery. Shown once, on creation; absent after an import.",
    ),
  legacy: z
    .boolean()
    .optional()
    .describe("Whether deliveries have the old, version 3 form."),
  basicAuth: secret(z.unknown())
    .optional()
    .describe("Basic authentication of a legacy webhook."),
  createdAt: z.string().optional().describe("Time of creation, ISO 8601."),
  lastEnabledAt: z.string().optional().describe("ISO 8601."),
  lastDisabledAt: z.string().optional().describe("ISO 8601."),
});

type Outputs = z.output<typeof outputs>;

/** Delivers identification events to an address (docs/contract.md, "Webhook record"). */
export const Webhook = defineResource({
  kind: "Webhook",
  description: "A webhook: identification events are posted to its address.",
  schemaVersion: 1,
  inputs,
  outputs,
  validate({ url }, { isLocal }) {
    if (!url || new URL(url).protocol !== "http:") return [];
    if (isLocal && isLoopback(new URL(url).hostname)) return [];
    const reason = isLocal
      ? "must start with https://, or be http to this machine (127.0.0.1, localhost)"
      : "must start with https://";
    return [{ property: "url", reason }];
  },
  isPending: (state, inputs) =>
    inputs.verify === true && state.verified !== true,
  async create({ client, inputs }) {
    const { url, description, status, environment } = inputs;
    const input = { url, description, status, environment };
    const made = await client.webhooks.create(input);
    const outputs = fromWire(made);
    // Its signing key is shown only now and must not be lost.
    return IncompleteError.guard({ id: made.id, outputs }, async () => ({
      id: made.id,
      outputs: { ...outputs, ...(await settle(client, made, inputs)) },
    }));
  },
  async read({ client, id, last }) {
    const found = await orMissing(client.webhooks.get(id));
    if (!found) return undefined;
    const { verify = false, verifyTimeoutSeconds = 60 } = last ?? {};
    return { ...fromWire(found), verify, verifyTimeoutSeconds };
  },
  async update({ client, id, inputs }) {
    const { url, description = null, status, environment = null } = inputs;
    const input = { url, description, status, environment };
    const updated = await client.webhooks.update(id, input);
    const outputs = fromWire(updated);
    return IncompleteError.guard({ id, outputs }, async () => ({
      ...outputs,
      ...(await settle(client, updated, inputs)),
    }));
  },
  async delete({ client, id }) {
    await client.webhooks.delete(id);
  },
});

/** Has a webhook verified where that is asked for and not done. */
async function settle(
  client: Client,
  webhook: WebhookAnswer,
  { verify, verifyTimeoutSeconds }: z.output<typeof inputs>,
): Promise<Partial<Outputs>> {
  if (!verify || webhook.verified) return {};
  let seen = await client.webhooks.startVerification(webhook.id);
  const deadline = performance.now() + verifyTimeoutSeconds * 1000;
  // The answer comes when the test event was sent, not when it was answered.
  while (!seen.verified) {
    if (performance.now() > deadline)
      throw new Error(
        `Webhook ${webhook.id} was not verified within ${verifyTimeoutSeconds} s: ${webhook.url} must answer the service's test event with HTTP 200. ` +
          `It exists and gets no events yet; see to its endpoint and run this again, or leave verify out.`,
      );
    await sleep(500);
    seen = await client.webhooks.get(webhook.id);
  }
  return { verified: true };
}

function fromWire(answer: WebhookAnswer) {
  const { id, ...fields } = withoutNulls(answer);
  return fields as Omit<Outputs, "verify" | "verifyTimeoutSeconds">;
}
