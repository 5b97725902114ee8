import { isLocal, type Webhook as WebhookAnswer } from "@devid/sdk";
import {
  Status,
  WebhookCreate,
  WebhookUpdate,
  WebhookUrl,
} from "@devid/sdk/wire";
import { high, hostOf, low, medium, switched } from "../../definition/effects";
import { z } from "zod";
import { adoptBy } from "../../definition/adoption";
import {
  defineResource,
  objectsFrom,
  type OperationContext,
} from "../../definition/define-resource";
import {
  compared,
  expected,
  local,
  references,
  revealOnce,
  secret,
  setting,
  stable,
} from "../../definition/field";
import { IncompleteError } from "../../definition/errors";
import { bodyOf, changesOf } from "../../definition/request-body";
import { withoutNulls } from "../../session/answers";
import { shows } from "../../session/list-snapshot";
import { legacyWebhook, retireLegacyWebhook } from "./retire-legacy-webhook";
import { urlFailures } from "./url-failures";

const inputs = z.object({
  url: WebhookUrl.describe(
    "Address that receives the events: https; http to this machine passes with a local endpoint.",
  ),
  description: z.string().optional().describe("Description."),
  status: Status.default("enabled").describe("Whether events are delivered."),
  environment: references("Environment", z.string().min(1))
    .optional()
    .describe("Environment ID. Omitted: every environment of the workspace."),
  replacesLegacy: setting(z.string().min(1))
    .optional()
    .describe(
      "ID of the legacy webhook that this one replaces. Both run side by side until `retireLegacy`.",
    ),
  retireLegacy: setting(z.boolean())
    .default(false)
    .describe(
      "Delete the legacy webhook named by `replacesLegacy`, in an update that finds this webhook verified.",
    ),
  adopt: adoptBy("url")
    .optional()
    .describe(
      "The existing webhook that creation takes over and makes as declared, instead of making a new one. Its signing key stays unknown. Only creation uses this.",
    ),
});

const outputs = inputs.extend({
  verified: compared(z.boolean(), false)
    .optional()
    .describe(
      "Whether the address answered a test event; a new url resets it.",
    ),
  signingKey: expected(
    stable(revealOnce(secret(z.string()))),
    "the webhook was adopted or imported, and the service shows a signing key only when it creates the webhook. To get a signing key, declare a new webhook beside this one, without `adopt`, and remove this one once the new one is verified.",
  )
    .optional()
    .describe("Key that signs each delivery."),
  replacedLegacy: local(z.string())
    .optional()
    .describe(
      "ID of the legacy webhook that was deleted for this one; absent while both run.",
    ),
  legacy: z
    .boolean()
    .optional()
    .describe("Whether deliveries have the old, version 3 form."),
  basicAuth: secret(z.unknown())
    .optional()
    .describe("Basic authentication of a legacy webhook."),
  createdAt: stable(z.string())
    .optional()
    .describe("Time of creation, ISO 8601."),
  lastEnabledAt: z.string().optional().describe("ISO 8601."),
  lastDisabledAt: z.string().optional().describe("ISO 8601."),
});

type Outputs = z.output<typeof outputs>;

const LEGACY = {
  what: "legacy webhook",
  reason:
    "it delivers the old, version 3 form, and the API can neither make nor change such a webhook",
  advice:
    "A legacy webhook migrates in the program: declare a `Webhook` with the new\n" +
    "address and `replacesLegacy`, the ID of the legacy one, and a\n" +
    "`WebhookVerification` of the new one. Both run side by side until\n" +
    "`retireLegacy: true` has the legacy one deleted.",
};

const eventsOf = ({ environment }: { readonly environment?: unknown }) =>
  environment === undefined
    ? "all events of the workspace"
    : "all events of its environment";

/** Delivers identification events to an address (docs/contract.md, "Webhook record"). */
export const Webhook = defineResource({
  kind: "Webhook",
  singular: "webhook",
  effects: {
    create: ({ is }) => [
      is.status === "disabled"
        ? low("receives no events while it is disabled")
        : medium(`\`${hostOf(is.url)}\` receives ${eventsOf(is)} from now on`),
    ],
    delete: ({ was }) => [
      medium(`\`${hostOf(was.url)}\` receives no events from now on`),
    ],
    replace: ({ is }) => [
      high(
        `\`${hostOf(is.url)}\` receives ${eventsOf(is)}, signed with another key`,
      ),
    ],
    update({ was, is }) {
      const [from, to] = [hostOf(was.url), hostOf(is.url)];
      const moved =
        from === to
          ? medium("another path of the same host receives the events")
          : high(
              `\`${to}\` receives ${eventsOf(is)} from now on, not \`${from}\``,
            );
      return [
        ...(was.url === is.url ? [] : [moved]),
        ...(was.environment === is.environment
          ? []
          : [medium(`receives ${eventsOf(is)} from now on`)]),
        ...switched(
          { was, is },
          {
            off: medium("receives no events from now on"),
            on: medium("receives events again"),
          },
        ),
      ];
    },
  },
  description: "A webhook: identification events are posted to its address.",
  schemaVersion: 1,
  inputs,
  outputs,
  example: {
    name: "orders",
    inputs: {
      url: "https://shop.example/identified",
      description: "Orders",
    },
    output: "signingKey",
  },
  list: (client, signal, _default, environment) =>
    objectsFrom(client.webhooks.listAll({ signal, environment }), fromWire),
  title: ({ url = "" }) => url,
  obstacle: ({ legacy }) => (legacy ? LEGACY : undefined),
  clone: {
    neededBy: () => "its receiver, which checks signatures with it",
    notCopied: [
      {
        heading: "Unverified webhooks",
        text: "These webhooks get no events, and the program verifies none of them. To verify a webhook, declare a `WebhookVerification`.",
        concerns: ({ verified }) => !verified,
      },
    ],
  },
  adoption: { by: "url" },
  validate({ url, replacesLegacy, retireLegacy }, { configuration, given }) {
    return [
      ...(url === undefined ? [] : urlFailures(url, isLocal(configuration))),
      ...(retireLegacy &&
      replacesLegacy === undefined &&
      !given.has("replacesLegacy")
        ? [
            {
              property: "retireLegacy",
              reason: "needs replacesLegacy, the ID of the legacy webhook",
            },
          ]
        : []),
    ];
  },
  pending({ replacedLegacy }, { replacesLegacy, retireLegacy }) {
    return retireLegacy && replacesLegacy && replacesLegacy !== replacedLegacy
      ? `still to retire the legacy webhook ${replacesLegacy}, which is then deleted`
      : undefined;
  },
  async create({ client, log, inputs }) {
    const { replacesLegacy } = inputs;
    // Read first, so that a wrong ID fails before anything is created.
    if (replacesLegacy) {
      await legacyWebhook(client, replacesLegacy);
      await log("info", besideLegacy("The new webhook", replacesLegacy));
    }
    const made = await client.webhooks.create(bodyOf(WebhookCreate, inputs));
    return { id: made.id, outputs: fromWire(made) };
  },
  async read({ client, session, id, last }) {
    const found = await session.reads.find(client.webhooks, id, (webhook) =>
      shows(["basicAuth"], webhook, last),
    );
    return found && fromWire(found);
  },
  async update(context) {
    const { client, id, inputs, last, changed } = context;
    const input = changesOf(WebhookUpdate, inputs, changed);
    const updated = input
      ? await client.webhooks.update(id, input)
      : await client.webhooks.get(id);
    const { replacedLegacy } = last;
    const outputs = { ...fromWire(updated), replacedLegacy };
    return IncompleteError.guard({ id, outputs }, async () => ({
      ...outputs,
      ...(await retire(context, updated, inputs, replacedLegacy)),
    }));
  },
  async delete({ client, id }) {
    await client.webhooks.delete(id);
  },
});

const besideLegacy = (webhook: string, legacyId: string, verified?: unknown) =>
  `${webhook} runs beside the legacy webhook ${legacyId}: ` +
  (verified
    ? "both deliver every event. Once the new receiver has proven itself, retireLegacy: true deletes the legacy one."
    : "it gets no events before it is verified (a WebhookVerification, or the dashboard).");

/** Retires the legacy webhook, if that is declared and not done yet. */
async function retire(
  context: OperationContext,
  webhook: WebhookAnswer,
  { replacesLegacy, retireLegacy }: z.output<typeof inputs>,
  replacedLegacy?: string,
): Promise<Partial<Outputs>> {
  if (!replacesLegacy || replacesLegacy === replacedLegacy) return {};
  if (!retireLegacy) {
    const { id, verified } = webhook;
    const said = besideLegacy(`Webhook ${id}`, replacesLegacy, verified);
    await context.log("info", said);
    return {};
  }
  const isDone = await retireLegacyWebhook(context, webhook, replacesLegacy);
  return isDone ? { replacedLegacy: replacesLegacy } : {};
}

function fromWire(answer: WebhookAnswer) {
  const { id, ...fields } = withoutNulls(answer);
  return fields as Partial<Outputs>;
}
