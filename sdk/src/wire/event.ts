import { z } from "zod";
import {
  Ratio,
  Timestamp,
  Count,
  deviceSignals,
  networkSignals,
} from "./event-signals";
import { openEnum } from "./open-enum";

/** Platforms of the agents. A search knows all but `unknown`. */
export const SDK_PLATFORMS = ["js", "android", "ios", "unknown"] as const;

const named = {
  name: z.string().nullish(),
  version: z.string().nullish(),
};

/** The agent that made the event, and the frameworks it was used from. */
export const Sdk = z.looseObject({
  platform: openEnum(SDK_PLATFORMS).nullable(),
  version: z.string().nullable(),
  integrations: z
    .array(
      z
        .looseObject({
          ...named,
          subintegration: z.looseObject(named).nullish(),
        })
        .nullable(),
    )
    .nullish(),
});

/** The browser, as told by its user agent. */
export const BrowserDetails = z.looseObject({
  browser_name: z.string().nullable(),
  browser_major_version: z.string().nullable(),
  browser_full_version: z.string().nullable(),
  os: z.string().nullable(),
  os_version: z.string().nullable(),
  device: z.string().nullable(),
});

/** Who was identified; also the form of `supplementary_id_high_recall` (docs/contract.md, "Event record"). */
export const Identification = z.looseObject({
  visitor_id: z.string().nullable(),
  visitor_found: z.boolean().nullable(),
  confidence: z
    .looseObject({
      score: Ratio.nullable(),
      version: z.string().nullish(),
      comment: z.string().nullish(),
    })
    .nullish(),
  first_seen_at: Timestamp.nullish(),
  last_seen_at: Timestamp.nullish(),
});

/** What a ruleset decides about an event. */
export const RULE_ACTION_TYPES = ["allow", "block"] as const;

const Header = z
  .looseObject({ name: z.string().nullable(), value: z.string().nullable() })
  .nullable();

/**
 * What a ruleset decides about an event; present only where the call names a
 * ruleset. `allow` may come with changes of the request's headers, and `block`
 * with the response to send (docs/assumptions.md, A59). Without `rule_id`, no
 * rule matched.
 */
export const EventRuleAction = z.looseObject({
  type: openEnum(RULE_ACTION_TYPES).nullable(),
  ruleset_id: z.string().nullable(),
  rule_id: z.string().nullish(),
  rule_expression: z.string().nullish(),
  request_header_modifications: z
    .looseObject({
      remove: z.array(z.string().nullable()).nullish(),
      set: z.array(Header).nullish(),
      append: z.array(Header).nullish(),
    })
    .nullish(),
  status_code: Count.nullish(),
  headers: z.array(Header).nullish(),
  body: z.string().nullish(),
});

/** Where an event comes from: an agent on a device, or a judged request. */
export const EVENT_SOURCES = ["device", "edge"] as const;

/** Whether all steps of an identification that takes several are done. */
export const IDENTIFICATION_STATUSES = [
  "partially_completed",
  "completed",
] as const;

/** How close to each other devices are, in metres. */
export const Proximity = z.looseObject({
  id: z.string().nullable(),
  precision_radius: Count.meta({
    examples: [10, 25, 65, 175, 450, 1200, 3300, 8500, 22500],
  }).nullable(),
  confidence: Ratio.nullable(),
});

/**
 * An identification event in the form that version 4 of the events API,
 * webhooks and sealed results have in common (docs/contract.md, "Event
 * record"). Signals that are not switched on for the workspace are absent.
 * Fields and values that are not listed here are kept (docs/assumptions.md, A9),
 * and so is null: anything but the ID and the time may be null in a past event.
 */
export const EventRecord = z.looseObject({
  event_id: z.string(),
  timestamp: Timestamp,
  source: openEnum(EVENT_SOURCES).nullish(),
  incremental_identification_status: openEnum(
    IDENTIFICATION_STATUSES,
  ).nullish(),
  linked_id: z.string().nullish(),
  environment_id: z.string().nullish(),
  suspect: z.boolean().describe("Absent until first set.").nullish(),
  sdk: Sdk.nullish(),
  replayed: z.boolean().nullish(),
  triggered_by: z
    .array(
      z
        .looseObject({
          id: z.string().nullable(),
          name: z.string().nullable(),
          description: z.string().nullable(),
        })
        .nullable(),
    )
    .describe("The rules that caused a webhook.")
    .nullish(),
  identification: Identification.nullish(),
  supplementary_id_high_recall: Identification.describe(
    "Matches browsers more generously, so fewer of them count as new.",
  ).nullish(),
  tags: z.record(z.string(), z.unknown()).nullish(),
  url: z.string().nullish(),
  origin: z.string().nullish(),
  bundle_id: z.string().nullish(),
  package_name: z.string().nullish(),
  ip_address: z.string().nullish(),
  user_agent: z.string().nullish(),
  device: z.string().nullish(),
  os: z.string().nullish(),
  os_version: z.string().nullish(),
  client_referrer: z.string().nullish(),
  browser_details: BrowserDetails.nullish(),
  proximity: Proximity.nullish(),
  ...networkSignals,
  ...deviceSignals,
  rule_action: EventRuleAction.nullish(),
});

/** Bound of `linked_id`: 256 characters (docs/assumptions.md, A53). */
export const LINKED_ID_MAX_LENGTH = 256;

/** Bound of `tags`: 16 KB of JSON in UTF-8 (docs/assumptions.md, A53, A79). */
export const TAGS_MAX_BYTES = 16 * 1024;

/** `linked_id` as it is sent. */
export const LinkedId = z
  .string()
  .max(
    LINKED_ID_MAX_LENGTH,
    `can't be greater than ${LINKED_ID_MAX_LENGTH} characters long`,
  );

/** `tags` as they are sent: they replace the ones that the event has. */
export const Tags = z
  .record(z.string(), z.unknown())
  .superRefine((tags, context) => {
    try {
      if (Buffer.byteLength(JSON.stringify(tags)) <= TAGS_MAX_BYTES) return;
      context.addIssue(`must be at most ${TAGS_MAX_BYTES} bytes of JSON`);
    } catch (error) {
      const [reason = ""] = (error as Error).message.split("\n");
      context.addIssue(`cannot be written as JSON: ${reason}`);
    }
  });

/**
 * Body of `PATCH /events/{event_id}`: only what is given changes
 * (docs/contract.md, "PATCH /events/{event_id}"). Parsing drops members that are
 * not listed; code that sends uses `EventUpdate.strict()`, which refuses them.
 */
export const EventUpdate = z.object({
  linked_id: LinkedId.optional(),
  tags: Tags.optional(),
  suspect: z.boolean().optional(),
});
