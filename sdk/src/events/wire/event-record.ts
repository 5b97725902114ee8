import { z } from "zod";
import { openEnum } from "../../open-enum";
import { BrowserDetails } from "./browser-details";
import { deviceSignals } from "./device-signals";
import { Identification } from "./identification";
import { networkSignals } from "./network-signals";
import { RuleAction } from "./rule-action";
import { Count, Ratio, Timestamp } from "./scalars";
import { Sdk } from "./sdk";

/** Where an event comes from: an agent on a device, or a judged request. */
export const EVENT_SOURCES = ["device", "edge"] as const;

/** Whether an identification that is done in steps is done. */
export const IDENTIFICATION_STATUSES = [
  "partially_completed",
  "completed",
] as const;

/** How close to each other devices are, in metres. */
export const Proximity = z.looseObject({
  id: z.string(),
  precision_radius: Count.meta({
    examples: [10, 25, 65, 175, 450, 1200, 3300, 8500, 22500],
  }),
  confidence: Ratio,
});

/**
 * An identification event in the form that version 4 of the events API,
 * webhooks and sealed results have in common (docs/contract.md, "Event
 * record"). Signals that are not switched on for the workspace are absent.
 * Fields and values that are not listed here are kept (docs/assumptions.md, A9).
 */
export const EventRecord = z.looseObject({
  event_id: z.string(),
  timestamp: Timestamp,
  source: openEnum(EVENT_SOURCES).optional(),
  incremental_identification_status: openEnum(
    IDENTIFICATION_STATUSES,
  ).optional(),
  linked_id: z.string().optional(),
  environment_id: z.string().optional(),
  suspect: z.boolean().describe("Absent until first set.").optional(),
  sdk: Sdk.optional(),
  replayed: z.boolean().optional(),
  triggered_by: z
    .array(
      z.looseObject({
        id: z.string(),
        name: z.string(),
        description: z.string(),
      }),
    )
    .describe("The rules that caused a webhook.")
    .optional(),
  identification: Identification.optional(),
  supplementary_id_high_recall: Identification.describe(
    "Matches browsers more generously, so fewer of them count as new.",
  ).optional(),
  tags: z.record(z.string(), z.unknown()).optional(),
  url: z.string().optional(),
  origin: z.string().optional(),
  bundle_id: z.string().optional(),
  package_name: z.string().optional(),
  ip_address: z.string().optional(),
  user_agent: z.string().optional(),
  device: z.string().optional(),
  os: z.string().optional(),
  os_version: z.string().optional(),
  client_referrer: z.string().optional(),
  browser_details: BrowserDetails.optional(),
  proximity: Proximity.optional(),
  ...networkSignals,
  ...deviceSignals,
  rule_action: RuleAction.optional(),
});
