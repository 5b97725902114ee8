import { DrnRecord, WebhookCreate, WebhookRecord } from "@devid/sdk/wire";
import { z } from "zod";
import type { Context } from "../context";
import { operation, type Operation } from "../http/operation";
import { webhookRecord, webhookViolations } from "../management/webhooks";
import { Ruleset } from "../server-api/ruleset";
import { Settings, settingsOf } from "../server-api/settings";

/** `/_local/{region}/settings`: what a workspace is set to in the dashboard, or by its plan. */
export function settingsOperations({ store }: Context): Operation[] {
  return [
    operation({
      name: "getSettings",
      method: "GET",
      path: "/:region/settings",
      summary: "Settings of a workspace",
      status: 200,
      answer: Settings,
      run: ({ workspace }) => settingsOf(store, workspace),
    }),
    operation({
      name: "setSettings",
      method: "POST",
      path: "/:region/settings",
      summary: "Change settings of a workspace: only what is given",
      body: Settings.partial(),
      status: 200,
      answer: Settings,
      run: ({ workspace, body }) => {
        const settings = { ...settingsOf(store, workspace), ...body };
        store.settings.set(workspace, JSON.stringify(settings));
        return settings;
      },
    }),
  ];
}

/** `POST /_local/{region}/rulesets`: a ruleset, which in public is made in the dashboard. */
export function rulesetOperation({ store }: Context): Operation {
  return operation({
    name: "setRuleset",
    method: "POST",
    path: "/:region/rulesets",
    summary: "Add a ruleset, or change the one with this ID",
    description:
      "GET /events/{event_id} judges an event with it. An action is allow or block, or an object with such a type and what goes with it.",
    body: Ruleset,
    status: 201,
    answer: Ruleset,
    load: () => import("../rules/check-rules.js"),
    check: ({ body }, { expressionViolations }) => expressionViolations(body),
    run: ({ workspace, body }) => {
      store.rulesets.set(workspace, body.id, JSON.stringify(body.rules));
      return body;
    },
  });
}

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

/** `POST /_local/{region}/drn/{visitor_id}`: says what is known of a device. */
export function deviceReputationOperation({
  clock,
  store,
}: Context): Operation {
  const Data = DrnRecord.strict();
  return operation({
    name: "setDeviceReputation",
    method: "POST",
    path: "/:region/drn/:visitor_id",
    summary: "Say what the reputation of a device is",
    description:
      "The data of an answer, whole or in part. Every region sees it; it takes the place of what was said before, and is 30 days good.",
    body: Data,
    status: 201,
    answer: Data,
    run: ({ id, body }) => {
      store.drnRecords.set(id, JSON.stringify(body), clock.nowMs());
      return body;
    },
  });
}
