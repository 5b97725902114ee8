import { isIP } from "node:net";
import { isLoopback } from "@devid/sdk";
import { WEBHOOK, WebhookRecord } from "@devid/sdk/wire";
import type { z } from "zod";
import type { Context } from "../context";
import type { Violation } from "../http/answer-error";
import type { Call, Operation } from "../http/operation";
import { member } from "../http/violations";
import { newEventId } from "../identity";
import { recordOf } from "../store/records";
import type { WebhookRow } from "../store/schema";
import { checkLimit } from "./account-limits";
import { environmentViolations } from "./environments";
import { listOperation } from "./list-operation";
import { serve } from "./serve-operation";

/** `/webhooks`: docs/contract.md, "GET /webhooks" to "POST /webhooks/{id}/verification". */
export function webhookOperations(context: Context): Operation[] {
  const { webhooks } = context.store;
  const check = (call: Call<unknown, unknown>) =>
    webhookViolations(context, call);
  return [
    listOperation(context, webhooks, WEBHOOK.list, webhookRecord),
    serve(WEBHOOK.get, ({ workspace, id }) => {
      const found = webhooks.get(workspace, id);
      return found && webhookRecord(found);
    }),
    serve(
      WEBHOOK.create,
      ({ workspace, body }) => {
        checkLimit(context, "webhooks", webhooks.count(workspace) + 1);
        const made = webhooks.create(workspace, body);
        return { ...webhookRecord(made), signing_key: made.signing_key };
      },
      { check },
    ),
    serve(
      WEBHOOK.update,
      ({ workspace, id, body }) => {
        const changed = webhooks.update(workspace, id, body);
        return changed && webhookRecord(changed);
      },
      { check },
    ),
    serve(WEBHOOK.delete, ({ workspace, id }) =>
      webhooks.remove(workspace, id),
    ),
    serve(WEBHOOK.verify, ({ workspace, id }) => {
      const found = webhooks.get(workspace, id);
      if (found) startVerification(context, found);
      return found && webhookRecord(found);
    }),
  ];
}

/**
 * The violations of a webhook that no schema finds: an unknown environment, or
 * an unencrypted url.
 */
export function webhookViolations(
  context: Context,
  call: Call<unknown, unknown>,
): Violation[] {
  return [...urlViolations(call), ...environmentViolations(context, call)];
}

/**
 * A url has to be https, and to name its host. Plain http and IP addresses are for
 * this machine only, where no network can be listened in on.
 */
function urlViolations({ body }: Call<unknown, unknown>): Violation[] {
  const url = member(body, "url");
  if (typeof url !== "string" || !URL.canParse(url)) return [];
  const { protocol, hostname } = new URL(url);
  if (isLoopback(hostname)) return [];
  const messages = [
    ...(protocol === "http:"
      ? [
          "must start with https:// (http:// is for 127.0.0.1, [::1] and localhost only)",
        ]
      : []),
    ...(isIP(hostname.replace(/^\[|\]$/g, ""))
      ? ["must name its host (IP addresses are for 127.0.0.1 and [::1] only)"]
      : []),
  ];
  return messages.map((message) => ({ property: "url", message }));
}

/** A stored webhook as answers show it, without its signing key. */
export function webhookRecord({
  signing_key: _,
  ...row
}: WebhookRow): z.output<typeof WebhookRecord> {
  return recordOf(WebhookRecord, row);
}

/**
 * Queues the test event of a webhook (docs/contract.md, "POST
 * /webhooks/{id}/verification"). The event is not stored, so no call can read
 * it; its form is our own choice (docs/assumptions.md, A47).
 */
export function startVerification(
  { clock, courier }: Pick<Context, "clock" | "courier">,
  { workspace, id: webhook, environment }: WebhookRow,
): void {
  const timestamp = clock.nowMs();
  const event_id = newEventId(timestamp);
  courier.take({
    workspace,
    webhook,
    kind: "test",
    event_id,
    body: JSON.stringify({
      event_id,
      timestamp,
      ...(environment !== null && { environment_id: environment }),
      replayed: false,
    }),
    made_at: timestamp,
  });
}
