import * as z from "zod/mini";
import {
  Ratio,
  Timestamp,
  Count,
  deviceSignals,
  networkSignals,
} from "./event-signals";
import { eventEnum, flag, listOf, object, choice, text } from "./event-members";

/** Platforms of the agents. A search takes all of them but `unknown`. */
export const SDK_PLATFORMS = ["js", "android", "ios", "unknown"] as const;

const named = { name: text, version: text };

/** The agent that made the event, and the frameworks it was used from. */
export const Sdk = z.looseObject({
  platform: z.nullable(eventEnum(SDK_PLATFORMS)),
  version: z.nullable(z.string()),
  integrations: listOf(
    z.looseObject({ ...named, subintegration: object(named) }),
  ),
});

/** The browser, read from its user agent. */
export const BrowserDetails = z.looseObject({
  browser_name: z.nullable(z.string()),
  browser_major_version: z.nullable(z.string()),
  browser_full_version: z.nullable(z.string()),
  os: z.nullable(z.string()),
  os_version: z.nullable(z.string()),
  device: z.nullable(z.string()),
});

/**
 * The identified visitor. `supplementary_id_high_recall` has the same form
 * (docs/contract.md, "Event record").
 */
export const Identification = z.looseObject({
  visitor_id: z.nullable(z.string()),
  visitor_found: z.nullable(z.boolean()),
  confidence: object({
    score: z.nullable(Ratio),
    version: text,
    comment: text,
  }),
  first_seen_at: z.nullish(Timestamp),
  last_seen_at: z.nullish(Timestamp),
});

/** The possible decisions of a ruleset about an event. */
export const RULE_ACTION_TYPES = ["allow", "block"] as const;

const headers = listOf(
  z.looseObject({
    name: z.nullable(z.string()),
    value: z.nullable(z.string()),
  }),
);

/**
 * The decision of a ruleset about an event. Present only if the call names a ruleset.
 * `allow` may have changes of the request's headers, and `block` the response to send
 * (docs/assumptions.md, A59). If `rule_id` is absent, no rule matched.
 */
export const EventRuleAction = z.looseObject({
  type: z.nullable(eventEnum(RULE_ACTION_TYPES)),
  ruleset_id: z.nullable(z.string()),
  rule_id: text,
  rule_expression: text,
  request_header_modifications: object({
    remove: listOf(z.string()),
    set: headers,
    append: headers,
  }),
  status_code: z.nullish(Count),
  headers,
  body: text,
});

/** The source of an event: an agent on a device, or a judged request. */
export const EVENT_SOURCES = ["device", "edge"] as const;

/** States of an identification in several steps. */
export const IDENTIFICATION_STATUSES = [
  "partially_completed",
  "completed",
] as const;

/** How close devices are to each other, in metres. */
export const Proximity = z.looseObject({
  id: z.nullable(z.string()),
  precision_radius: z.nullable(
    Count.check(
      z.meta({
        examples: [10, 25, 65, 175, 450, 1200, 3300, 8500, 22500],
      }),
    ),
  ),
  confidence: z.nullable(Ratio),
});

/**
 * An identification event in the form that version 4 of the events API, webhooks and
 * sealed results have in common (docs/contract.md, "Event record"). Signals that are
 * not switched on for the workspace are absent. Unknown fields and values are kept
 * (docs/assumptions.md, A9). In a past event, every field but the ID and the time may
 * be null.
 */
export const EventRecord = z.looseObject({
  event_id: z.string(),
  timestamp: Timestamp,
  source: choice(EVENT_SOURCES),
  incremental_identification_status: choice(IDENTIFICATION_STATUSES),
  linked_id: text,
  environment_id: text,
  suspect: z.nullish(z.boolean().check(z.describe("Absent until first set."))),
  sdk: z.nullish(Sdk),
  replayed: flag,
  triggered_by: z.nullish(
    z
      .array(
        z.nullable(
          z.looseObject({
            id: z.nullable(z.string()),
            name: z.nullable(z.string()),
            description: z.nullable(z.string()),
          }),
        ),
      )
      .check(z.describe("The rules that caused a webhook.")),
  ),
  identification: z.nullish(Identification),
  supplementary_id_high_recall: z.nullish(
    Identification.check(
      z.describe(
        "Matches browsers more generously, so fewer of them count as new.",
      ),
    ),
  ),
  tags: z.nullish(z.record(z.string(), z.unknown())),
  url: text,
  origin: text,
  bundle_id: text,
  package_name: text,
  ip_address: text,
  user_agent: text,
  device: text,
  os: text,
  os_version: text,
  client_referrer: text,
  browser_details: z.nullish(BrowserDetails),
  proximity: z.nullish(Proximity),
  ...networkSignals,
  ...deviceSignals,
  rule_action: z.nullish(EventRuleAction),
});
