import { WebhookFilter, WebhookRecord } from "@devid/sdk/wire";
import { z } from "zod";
import { defineFunction, named } from "../definition/define-function";
import { secret } from "../definition/field";
import { exactlyOneOf, listed, lookUp } from "./look-up";

const WebhookResult = named(
  "WebhookResult",
  z
    .object({
      id: z.string().describe("ID."),
      url: z.string().describe("Address that receives the events."),
      description: z.string().optional().describe("Description."),
      status: WebhookRecord.shape.status.describe(
        "Whether events are delivered.",
      ),
      verified: z
        .boolean()
        .optional()
        .describe("Whether the address answered a test event."),
      environment: z
        .string()
        .optional()
        .describe(
          "Environment ID; absent for every environment of the workspace.",
        ),
      legacy: z
        .boolean()
        .optional()
        .describe("Whether deliveries have the old, version 3 form."),
      basicAuth: secret(z.unknown())
        .optional()
        .describe("Basic authentication of a legacy webhook."),
      createdAt: z.string().optional().describe("Time of creation, ISO 8601."),
      signingKey: secret(z.string())
        .optional()
        .describe(
          "Key of the signature of each delivery; the service shows it on creation only.",
        ),
      lastEnabledAt: z.string().optional().describe("ISO 8601."),
      lastDisabledAt: z.string().optional().describe("ISO 8601."),
    })
    .describe("A webhook."),
);

const { status, environment } = WebhookFilter.shape;

/** Webhooks of the workspace, every page (docs/contract.md, "GET /webhooks"). */
export const getWebhooks = defineFunction({
  name: "getWebhooks",
  description: "Webhooks of the workspace, oldest first.",
  args: z.strictObject({
    status: status.describe("Only webhooks with this status."),
    environment: environment.describe(
      "Environment ID: only webhooks of this environment.",
    ),
  }),
  result: z.array(WebhookResult),
  run: listed((client) => client.webhooks),
});

/** One webhook (docs/contract.md, "GET /webhooks/{id}"). */
export const getWebhook = defineFunction({
  name: "getWebhook",
  description:
    "One webhook, by its ID or by an address that no other webhook has.",
  throws: "LookupError if there is none, or more than one",
  args: exactlyOneOf({
    id: z.string().min(1).optional().describe("ID."),
    url: z.string().min(1).optional().describe("Address, exactly."),
  }),
  result: WebhookResult,
  run: lookUp("webhook", (client) => client.webhooks),
});
