import { z } from "zod";
import { openEnum } from "../../open-enum";
import { secret, secretUrl } from "../../secret-mark";
import { Status, STATUSES } from "./status";

/**
 * `url` of a webhook. The service takes https only; whether http to loopback
 * passes is decided by who sends or receives it, for both know their endpoint.
 * Its user-info and its query may be what lets the sender in.
 */
export const WebhookUrl = secretUrl(z.url({ protocol: /^https?$/ }));

/**
 * A webhook as the service answers it (docs/contract.md, "Webhook record").
 * `signing_key` is present only in the answer to its creation.
 */
export const WebhookRecord = z.object({
  id: z.string(),
  url: secretUrl(z.string()),
  description: z.string().nullish(),
  status: openEnum(STATUSES),
  verified: z.boolean().nullish(),
  environment: z.string().nullish(),
  legacy: z.boolean().nullish(),
  basic_auth: secret(z.unknown()).optional(),
  created_at: z.string().nullish(),
  signing_key: secret(z.string()).nullish(),
  last_enabled_at: z.string().nullish(),
  last_disabled_at: z.string().nullish(),
});

/** Body of `POST /webhooks`; `environment` null or absent: all environments. */
export const WebhookCreate = z.strictObject({
  url: WebhookUrl,
  description: z.string().optional(),
  status: Status.optional(),
  environment: z.string().min(1).nullable().optional(),
});

/** Body of `PATCH /webhooks/{id}`; null clears the field (docs/assumptions.md). */
export const WebhookUpdate = z.strictObject({
  url: WebhookUrl.optional(),
  description: z.string().nullable().optional(),
  status: Status.optional(),
  environment: z.string().min(1).nullable().optional(),
});

/** Filters of `GET /webhooks`. */
export const WebhookFilter = z.strictObject({
  status: Status.optional(),
  environment: z.string().min(1).optional(),
});
