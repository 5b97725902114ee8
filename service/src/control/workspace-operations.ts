import { WebhookCreate, WebhookRecord } from "@devid/sdk/wire";
import { DrnRecord } from "@devid/sdk/wire/events";
import { z } from "zod";
import type { Context } from "../context";
import { operation, type Operation } from "../http/operation";
import { webhookViolations } from "../management/kinds";
import { expressionViolations } from "../rules/evaluate-rules";
import { Ruleset } from "../server-api/ruleset";
import { Settings, settingsOf } from "../workspace/settings";
import { VISITOR_ID } from "../server-api/visitor-deletion";

const RelatedVisitors = z.strictObject({
  visitorIds: z
    .array(z.string().regex(VISITOR_ID, "is no visitor ID"))
    .min(2)
    .max(100),
});

const Webhook = WebhookCreate.extend({
  verified: z.boolean().optional(),
  legacy: z.boolean().optional(),
  basic_auth: z
    .strictObject({ username: z.string(), password: z.string() })
    .optional(),
  signing_key: z.string().min(1).optional(),
});

/**
 * The control calls that set in a workspace what the public service takes from its
 * dashboard, its plan or its own observations, and webhooks with properties that the
 * management API cannot set.
 */
export function workspaceOperations(context: Context): Operation[] {
  const { clock, store } = context;
  const Reputation = DrnRecord.strict();
  return [
    operation({
      name: "getSettings",
      method: "GET",
      path: "/:region/settings",
      summary: "Get the settings of a workspace",
      answer: Settings,
      run: ({ workspace }) => settingsOf(store, workspace),
    }),
    operation({
      name: "setSettings",
      method: "POST",
      path: "/:region/settings",
      summary: "Change the given settings of a workspace",
      body: Settings.partial(),
      answer: Settings,
      run: ({ workspace, body }) => {
        const settings = { ...settingsOf(store, workspace), ...body };
        store.settings.set(workspace, "", settings);
        return settings;
      },
    }),
    operation({
      name: "setRuleset",
      method: "POST",
      path: "/:region/rulesets",
      summary: "Add a ruleset, or replace the one with this ID",
      description:
        "GET /events/{event_id} with its ID as ruleset_id adds the ruleset's verdict to the event. An action is allow or block, or an object with this type and its details.",
      body: Ruleset,
      status: 201,
      answer: Ruleset,
      slowCheck: ({ body }) => expressionViolations(body),
      run: ({ workspace, body }) => {
        store.rulesets.set(workspace, body.id, body.rules);
        return body;
      },
    }),
    operation({
      name: "addWebhook",
      method: "POST",
      path: "/:region/webhooks",
      summary: "Add a webhook that may be verified, legacy or have basic_auth",
      body: Webhook,
      status: 201,
      answer: WebhookRecord,
      check: (call) => webhookViolations(context, call),
      run: ({ workspace, body }) => store.webhooks.create(workspace, body),
    }),
    operation({
      name: "setDeviceReputation",
      method: "POST",
      path: "/:region/drn/:visitor_id",
      summary: "Set the reputation of a device",
      description:
        "Takes the data of an answer, or a part of it, for all regions. It replaces what was set before, and is used for 30 days.",
      body: Reputation,
      status: 201,
      answer: Reputation,
      run: ({ id, body: data }) => {
        store.reputations.set("all", id, { data, setAtMs: clock.nowMs() });
        return data;
      },
    }),
    operation({
      name: "setRelatedVisitors",
      method: "POST",
      path: "/:region/related-visitors",
      summary: "Say which visitors are browsers of one mobile device",
      description:
        "Each of them leaves the device that it was of before. GET /related-visitors of version 3 answers them, when the setting relatedVisitors is on.",
      body: RelatedVisitors,
      status: 201,
      answer: RelatedVisitors,
      run: ({ workspace, body }) => {
        store.visitors.relate(workspace, body.visitorIds);
        return body;
      },
    }),
  ];
}
