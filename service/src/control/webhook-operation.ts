import { WebhookCreate, WebhookRecord } from "@devid/sdk/wire";
import { z } from "zod";
import type { Context } from "../context";
import { operation, type Operation } from "../http/operation";
import { webhookRecord } from "../management/webhook-record";
import { webhookViolations } from "../management/webhook-violations";

const Webhook = WebhookCreate.extend({
  verified: z.boolean().optional(),
  legacy: z.boolean().optional(),
  basic_auth: z
    .strictObject({ username: z.string(), password: z.string() })
    .optional(),
  signing_key: z.string().min(1).optional(),
});

/** `POST /_local/{region}/webhooks`: a webhook as the management API cannot make it. */
export function webhookOperation(context: Context): Operation {
  const { webhooks } = context.store;
  return operation({
    name: "addWebhook",
    method: "POST",
    path: "/:region/webhooks",
    summary: "Add a webhook as it is given: verified, legacy, with basic_auth",
    body: Webhook,
    status: 201,
    answer: WebhookRecord,
    check: (call) => webhookViolations(context, call),
    run: ({ workspace, body }) => {
      const made = webhooks.create(workspace, body);
      return { ...webhookRecord(made), signing_key: made.signing_key };
    },
  });
}
