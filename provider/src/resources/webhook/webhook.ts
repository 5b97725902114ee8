import { isLocal, type Webhook as WebhookAnswer } from "@devid/sdk";
import {
  Status,
  WebhookCreate,
  WebhookUpdate,
  WebhookUrl,
} from "@devid/sdk/wire";
import { high, hostOf, low, medium, switched } from "../../definition/effects";
import { z } from "zod";
import { Adopt } from "../../definition/adoption";
import { defineResource, objectsFrom } from "../../definition/define-resource";
import {
  compared,
  expected,
  references,
  revealOnce,
  secret,
  stable,
  time,
} from "../../definition/field";
import { bodyOf, changesOf } from "../../definition/request-body";
import { withoutNulls } from "../../session/answers";
import { shows } from "../../session/list-snapshot";
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
  adopt: Adopt.optional().describe(
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
  legacy: z
    .boolean()
    .optional()
    .describe("Whether deliveries have the old, version 3 form."),
  basicAuth: secret(z.unknown())
    .optional()
    .describe("Basic authentication of a legacy webhook."),
  createdAt: stable(time("Time of creation, ISO 8601.")),
  lastEnabledAt: time(),
  lastDisabledAt: time(),
});

type Outputs = z.output<typeof outputs>;

const LEGACY = {
  what: "legacy webhook",
  reason:
    "it delivers the old, version 3 form, and the API can neither make nor change such a webhook",
  advice:
    "To migrate, declare a `Webhook` with a new address, and a `WebhookVerification`\n" +
    "of it. Both then get every event. When the new receiver works, delete the\n" +
    "legacy webhook in the dashboard.",
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
          medium("receives no events from now on"),
          medium("receives events again"),
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
  validate({ url }, { configuration }) {
    return url === undefined ? [] : urlFailures(url, isLocal(configuration));
  },
  async create({ client, inputs }) {
    const made = await client.webhooks.create(bodyOf(WebhookCreate, inputs));
    return { id: made.id, outputs: fromWire(made) };
  },
  async read({ client, session, id, last }) {
    const found = await session.reads.find(client.webhooks, id, (webhook) =>
      shows(["basicAuth"], webhook, last),
    );
    return found && fromWire(found);
  },
  async update({ client, id, inputs, changed }) {
    const input = changesOf(WebhookUpdate, inputs, changed);
    return fromWire(
      input
        ? await client.webhooks.update(id, input)
        : await client.webhooks.get(id),
    );
  },
  async delete({ client, id }) {
    await client.webhooks.delete(id);
  },
});

function fromWire(answer: WebhookAnswer) {
  const { id, ...fields } = withoutNulls(answer);
  return fields as Partial<Outputs>;
}
