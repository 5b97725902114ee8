import { LinkedId, Sdk, SDK_PLATFORMS, Tags } from "@devid/sdk/wire/events";
import { z } from "zod";

/** A platform that events and rules do not know counts as `unknown` (docs/assumptions.md, A165). */
const Platform = z
  .string()
  .transform(
    (given) => SDK_PLATFORMS.find((known) => known === given) ?? "unknown",
  );

/**
 * Body of `POST /{region}/web/v4/{publicKey}`, which the browser agent sends:
 * at most 1 MiB (docs/assumptions.md, A74). Members that the schema does not
 * name are dropped.
 */
export const IdentificationBody = z.object({
  sdk: z
    .looseObject(Sdk.shape)
    .extend({
      platform: Platform,
      version: z.string(),
    })
    .describe("The agent, and the frameworks it was used from."),
  url: z.string().describe("Address of the page, hashed where asked for."),
  client_referrer: z
    .string()
    .optional()
    .describe("Address that led to the page, hashed like `url`."),
  linked_id: LinkedId.optional(),
  tag: Tags.optional().describe("A simple value comes as `{tag: value}`."),
  timezone: z
    .string()
    .optional()
    .describe("Of the device, such as `Europe/Berlin`."),
  storage_id: z
    .string()
    .max(64)
    .optional()
    .describe("`storage_id` of an earlier answer, as the browser kept it."),
  signals: z
    .record(z.string(), z.unknown())
    .describe(
      "What the device says of itself, under the names of raw_device_attributes in an event; `webdriver` is navigator.webdriver.",
    ),
});

/** What the browser agent sends. */
export type IdentificationBody = z.input<typeof IdentificationBody>;

/**
 * Answer 200 to the browser agent (docs/contract.md, "get()"). The browser stores
 * `storage_id` and sends it again. It contains no data about the visitor.
 */
export const IdentificationAnswer = z.strictObject({
  event_id: z.string(),
  visitor_id: z
    .string()
    .optional()
    .describe(
      "Absent in zero-trust mode, empty where the visitor is not recognised, a dummy where identification is off.",
    ),
  suspect_score: z
    .int()
    .optional()
    .describe("Absent where no signal is activated."),
  storage_id: z.string(),
  sealed_result: z
    .string()
    .optional()
    .describe("Base64; absent unless results are sealed."),
});

/** The answer to the browser agent. */
export type IdentificationAnswer = z.output<typeof IdentificationAnswer>;

/** Body of every other answer to the browser agent: the codes of the events API (docs/contract.md, "Events errors"). */
export const IdentificationErrorBody = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string() }),
  event_id: z
    .string()
    .optional()
    .describe("ID of the refused request; no event is stored under it."),
});

/** The answer to the browser agent when no event was made. */
export type IdentificationErrorBody = z.output<typeof IdentificationErrorBody>;
