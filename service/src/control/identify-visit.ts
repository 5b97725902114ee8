import { EventRecord, Tags } from "@devid/sdk/wire/events";
import {
  IdentificationAnswer,
  IdentificationBody,
} from "../agent/identification-wire";
import { z } from "zod";
import type { Context } from "../context";
import { operation, type Operation } from "../http/operation";
import { admit } from "../identification/agent-surface";
import { identify } from "../identification/identify";
import { canonicalHeaders } from "../identification/visit";

const { linked_id, storage_id, client_referrer } = IdentificationBody.shape;

/** A tag as an agent takes it (docs/contract.md, "get()"). */
const Tag = z
  .union(
    [Tags, z.string(), z.number(), z.boolean()],
    "must be an object, or a simple value",
  )
  .refine(
    (tag) => Tags.safeParse(wrapped(tag)).success,
    "must be at most 16 KB of JSON",
  )
  .describe("A simple value becomes `{tag: value}`.");

const FurtherMembers = z
  .looseObject(EventRecord.shape)
  .partial()
  .omit({
    event_id: true,
    timestamp: true,
    environment_id: true,
    identification: true,
    rule_action: true,
  })
  .strict()
  .describe("Further members of its event, such as package_name or emulator.");

const Visit = z.strictObject({
  publicKey: z.string(),
  url: z.string().optional(),
  headers: z
    .record(
      z.string(),
      z.union([z.string(), z.array(z.string())], "must be a text or several"),
    )
    .default({}),
  ip: z.union([z.ipv4(), z.ipv6()], "must be an IP address").optional(),
  linkedId: linked_id,
  tag: Tag.optional(),
  sdk: IdentificationBody.shape.sdk.default({ platform: "js", version: "" }),
  clientReferrer: client_referrer,
  storageId: storage_id,
  signals: IdentificationBody.shape.signals.default({}),
  event: FurtherMembers.optional(),
});

/**
 * `POST /_local/identify/{region}`: an identification without a browser, for
 * example that of an app.
 */
export function identifyVisitOperation(context: Context): Operation {
  const { store, rateLimiter } = context;
  return operation({
    name: "identifyVisit",
    method: "POST",
    path: "/identify/:region",
    summary: "Identify a visitor like a browser or an app",
    description:
      "Does everything that an identification does: it checks the key and its rate, evaluates the rules in force, stores the event, sends the webhooks and seals the result.",
    body: Visit,
    answer: IdentificationAnswer,
    errors: [403, 429],
    run: ({ workspace, body }) => {
      const key = store.apiKeys.withToken(body.publicKey);
      const pairs = Object.entries(body.headers).flatMap(([name, value]) =>
        [value].flat().map((one) => [name, one] as const),
      );
      return identify(context, workspace, {
        key: admit(rateLimiter, workspace, key),
        headers: canonicalHeaders(pairs),
        ip: body.ip,
        sent: {
          sdk: body.sdk,
          url: body.url,
          client_referrer: body.clientReferrer,
          linked_id: body.linkedId,
          tag: body.tag === undefined ? undefined : wrapped(body.tag),
          storage_id: body.storageId,
          signals: body.signals,
        },
        eventMembers: body.event,
      });
    },
  });
}

function wrapped(tag: z.output<typeof Tags> | string | number | boolean) {
  return typeof tag === "object" ? tag : { tag };
}
