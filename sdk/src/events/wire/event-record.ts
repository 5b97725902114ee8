import { z } from "zod";
import { openEnum } from "../../open-enum";
import { BrowserDetails } from "./browser-details";
import { deviceSignals } from "./device-signals";
import { Identification } from "./identification";
import { networkSignals } from "./network-signals";
import { EventRuleAction } from "./rule-action";
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
