import { isIP } from "node:net";
import { isLoopback } from "@devid/sdk";
import {
  WebhookCreate,
  WebhookFilter,
  WebhookRecord,
  WebhookUpdate,
} from "@devid/sdk/wire";
import { z } from "zod";
import type { Context } from "../context";
import { notFound, type Violation } from "../http/answer-error";
import { type Call, operation, type Operation } from "../http/operation";
import { member } from "../http/violations";
import { newEventId } from "../identity";
import { recordOf } from "../store/database/record-columns";
import type { WebhookRow } from "../store/database/schema";
import { checkLimit } from "./account-limits";
import { environmentViolations } from "./environments";
import { listOperation } from "./list-operation";

const One = z.object({ data: WebhookRecord });
/** The answer to an update repeats the environment beside the record. */
const Changed = One.extend({ environment: WebhookRecord.shape.environment });

/** `/webhooks`: docs/contract.md, "GET /webhooks" to "POST /webhooks/{id}/verification". */
export function webhookOperations(context: Context): Operation[] {
  const { webhooks } = context.store;
  const check = (call: Call<unknown, unknown>) =>
    webhookViolations(context, call);
  return [
    listOperation(context, webhooks, {
      name: "listWebhooks",
      path: "/webhooks",
      summary: "List webhooks",
      filter: WebhookFilter,
      record: WebhookRecord,
      show: webhookRecord,
    }),
    operation({
      name: "getWebhook",
      method: "GET",
      path: "/webhooks/:id",
      summary: "Get a webhook",
      answer: One,
      run: ({ workspace, id }) => {
        const found = webhooks.get(workspace, id);
        if (!found) throw notFound("webhook", id);
        return { data: webhookRecord(found) };
      },
    }),
    operation({
      name: "createWebhook",
      method: "POST",
      path: "/webhooks",
      summary: "Create a webhook",
      description: "No other answer shows the signing key.",
      body: WebhookCreate,
      status: 201,
      answer: One,
      check,
      run: ({ workspace, body }) => {
        checkLimit(context, "webhooks", webhooks.count(workspace) + 1);
        const made = webhooks.create(workspace, body);
        return {
          data: { ...webhookRecord(made), signing_key: made.signing_key },
        };
      },
    }),
    operation({
      name: "updateWebhook",
      method: "PATCH",
      path: "/webhooks/:id",
      summary: "Change a webhook",
      description: "Another url has to be verified again.",
      body: WebhookUpdate,
      answer: Changed,
      check,
      run: ({ workspace, id, body }) => {
        const changed = webhooks.update(workspace, id, body);
        if (!changed) throw notFound("webhook", id);
        return {
          data: webhookRecord(changed),
          environment: changed.environment,
        };
      },
    }),
    operation({
      name: "deleteWebhook",
      method: "DELETE",
      path: "/webhooks/:id",
      summary: "Delete a webhook",
      status: 204,
      answer: z.undefined(),
      run: ({ workspace, id }) => {
        if (!webhooks.remove(workspace, id)) throw notFound("webhook", id);
      },
    }),
    operation({
      name: "verifyWebhook",
      method: "POST",
      path: "/webhooks/:id/verification",
      summary: "Send a test event to a webhook",
      description:
        "The call answers at once. The webhook is verified when its url answers the test event with HTTP 200 within 3 s.",
      answer: One,
      run: ({ workspace, id }) => {
        const found = webhooks.get(workspace, id);
        if (!found) throw notFound("webhook", id);
        startVerification(context, found);
        return { data: webhookRecord(found) };
      },
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
