import type { WebhookRecord } from "@devid/sdk/wire";
import type { z } from "zod";
import type { WebhookRow } from "../store/webhooks";

/** A stored webhook as answers show it, without its signing key. */
export function webhookRecord({
  signing_key: _,
  ...row
}: WebhookRow): z.output<typeof WebhookRecord> {
  return {
    ...row,
    verified: row.verified === 1,
    legacy: row.legacy === 1,
    basic_auth: row.basic_auth === null ? null : JSON.parse(row.basic_auth),
  };
}
