import { isLocal, isLoopback, type Webhook as WebhookAnswer } from "@devid/sdk";
import {
  Status,
  WebhookCreate,
  WebhookUpdate,
  WebhookUrl,
} from "@devid/sdk/wire";
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
import { IncompleteError, OperationError } from "../../definition/errors";
import { bodyOf, changesOf } from "../../definition/request-body";
import { withoutNulls } from "../../session/answers";
import { shows } from "../../session/list-snapshot";
import { legacyWebhook, retireLegacyWebhook } from "./retire-legacy-webhook";
import { setTimeout as sleep } from "node:timers/promises";

const inputs = z.object({
  url: WebhookUrl.describe(
    "Address that receives the events: https; http to this machine passes with a local endpoint.",
  ),
  description: z.string().optional().describe("Description."),
  status: Status.default("enabled").describe("Whether events are delivered."),
  environment: references("Environment", z.string().min(1))
    .optional()
    .describe("Environment ID. Omitted: every environment of the workspace."),
  verify: setting(z.boolean())
    .default(false)
    .describe(
      "Have the service send a test event, and wait until the address answers it with 200. An unverified webhook gets no events.",
    ),
  verifyTimeoutSeconds: setting(z.number().min(1).max(600))
    .default(60)
    .describe("How long to wait for the verification, 1 to 600 seconds."),
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
    "address, `verify: true` and `replacesLegacy`, the ID of the legacy one. Both\n" +
    "run side by side until `retireLegacy: true` has the legacy one deleted.",
};

/** Delivers identification events to an address (docs/contract.md, "Webhook record"). */
export const Webhook = defineResource({
  kind: "Webhook",
  singular: "webhook",
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
  clone: {
    obstacle: ({ legacy }) => (legacy ? LEGACY : undefined),
    neededBy: () => "its receiver, which checks signatures with it",
    // A missing legacy webhook was retired before.
    recovered: ({ replacesLegacy, retireLegacy }, ids) =>
      retireLegacy && replacesLegacy && !ids.has(replacesLegacy)
        ? { replacedLegacy: replacesLegacy }
        : {},
    notCopied: [
      {
        heading: "Verification of webhooks",
        text: "The webhooks of a copy get no events until they are verified: set `verify: true`.",
        remark: ({ verified }) =>
          verified ? "" : ", not verified here either",
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
  pending({ verified, replacedLegacy }, declared) {
    const { verify, replacesLegacy, retireLegacy } = declared;
    if (verify && !verified) return "still to be verified";
    return retireLegacy && replacesLegacy && replacesLegacy !== replacedLegacy
      ? `still to retire the legacy webhook ${replacesLegacy}, which is then deleted`
      : undefined;
  },
  async create(context) {
    const { client, inputs } = context;
    const { replacesLegacy } = inputs;
    // Read first, so that a wrong ID fails before anything is created.
    if (replacesLegacy) await legacyWebhook(client, replacesLegacy);
    const made = await client.webhooks.create(bodyOf(WebhookCreate, inputs));
    const outputs = fromWire(made);
    // The service shows the signing key only now, so all further steps come after the
    // answer.
    return { id: made.id, outputs, later: () => begin(context, made, inputs) };
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
      ...(await finish(context, updated, inputs, replacedLegacy)),
    }));
  },
  async delete({ client, id }) {
    await client.webhooks.delete(id);
  },
});

function urlFailures(url: string, isLocal: boolean) {
  if (new URL(url).protocol !== "http:") return [];
  if (isLocal && isLoopback(new URL(url).hostname)) return [];
  const reason = isLocal
    ? "must start with https://, or with http:// and be on this machine (127.0.0.1, localhost)"
    : "must start with https://";
  return [{ property: "url", reason }];
}

/** Begins the declared steps of a new webhook; the next update finishes them. */
async function begin(
  { client, log }: OperationContext,
  { id, verified }: WebhookAnswer,
  { verify, replacesLegacy }: z.output<typeof inputs>,
): Promise<void> {
  if (verify && !verified) {
    await client.webhooks.startVerification(id);
    await log(
      "info",
      `Webhook ${id} was created, and the service was asked to send its test event. The next pulumi up records the verification. If the webhook is still not verified then, that update asks again and waits.`,
    );
  }
  if (replacesLegacy)
    await log("info", besideLegacy(id, replacesLegacy, verified));
}

const besideLegacy = (id: string, legacyId: string, verified?: unknown) =>
  `Webhook ${id} runs beside the legacy webhook ${legacyId}: ` +
  (verified
    ? "both deliver every event. Once the new receiver has proven itself, retireLegacy: true deletes the legacy one."
    : "it gets no events before it is verified (verify: true, or the dashboard).");

/** Does the declared steps that are left: the verification, and the retirement of a legacy webhook. */
async function finish(
  context: OperationContext,
  webhook: WebhookAnswer,
  declared: z.output<typeof inputs>,
  replacedLegacy?: string,
): Promise<Partial<Outputs>> {
  const { verify, verifyTimeoutSeconds, replacesLegacy, retireLegacy } =
    declared;
  if (verify && !webhook.verified)
    await verifyWebhook(context, webhook, verifyTimeoutSeconds);
  const verified = verify || (webhook.verified ?? undefined);
  if (!replacesLegacy || replacesLegacy === replacedLegacy) return { verified };
  if (!retireLegacy) {
    const { id } = webhook;
    await context.log("info", besideLegacy(id, replacesLegacy, verified));
    return { verified };
  }
  // `webhook` was read before the verification above, so both webhooks deliver until
  // the next update.
  const isDone = await retireLegacyWebhook(context, webhook, replacesLegacy);
  return { verified, ...(isDone && { replacedLegacy: replacesLegacy }) };
}

function fromWire(answer: WebhookAnswer) {
  const { id, ...fields } = withoutNulls(answer);
  return fields as Partial<Outputs>;
}

/**
 * Makes the service send a test event to a webhook, and waits until its address
 * has answered it (docs/contract.md, "POST /webhooks/{id}/verification").
 * @throws OperationError when that takes longer than `timeoutSeconds`
 */
async function verifyWebhook(
  { client, session }: OperationContext,
  webhook: WebhookAnswer,
  timeoutSeconds: number,
): Promise<void> {
  let seen = await client.webhooks.startVerification(webhook.id);
  const deadline = performance.now() + timeoutSeconds * 1000;
  // The call returns when the test event was sent; only a read shows whether it was
  // answered.
  while (!seen.verified) {
    if (performance.now() > deadline)
      throw new OperationError(
        `Webhook ${webhook.id} was not verified within ${timeoutSeconds} s: ${webhook.url} must answer the service's test event with HTTP 200. ` +
          `It exists but gets no events yet. Check its endpoint and run this again, or leave verify out.`,
      );
    const { signal } = session;
    await sleep(500, undefined, { signal }).catch(() =>
      signal.throwIfAborted(),
    );
    seen = await client.webhooks.get(webhook.id);
  }
}
