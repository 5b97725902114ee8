import { WebhookCreate, WebhookRecord } from "@devid/sdk/management/wire";
import { z } from "zod";
import type { Context } from "../context";
import { operation, type Operation } from "../http/operation";
import { environmentViolations } from "../management/environment-violations";
import { webhookRecord } from "../management/webhooks";

const Given = WebhookCreate.extend({
  legacy: z.boolean().default(false),
  verified: z.boolean().default(false),
  basic_auth: z
    .strictObject({ username: z.string(), password: z.string() })
    .optional(),
});

/** `POST /_local/{region}/webhooks`: a webhook as no call of the management API can make it. */
export function webhookOperation(context: Context): Operation {
  const { webhooks } = context.store;
  return operation({
    name: "addWebhook",
    method: "POST",
    path: "/:region/webhooks",
    summary: "Add a webhook: a legacy one, or one that is verified",
    body: Given,
    status: 201,
    answer: WebhookRecord,
    check: (call) => environmentViolations(context, call),
    run: ({ workspace, body: { legacy, verified, basic_auth, ...body } }) => {
      const made = webhooks.create(workspace, body, {
        legacy,
        verified,
        basicAuth: basic_auth,
      });
      return { ...webhookRecord(made), signing_key: made.signing_key };
    },
  });
}
