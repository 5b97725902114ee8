import { z } from "zod";
import { openEnum } from "../../open-enum";
import { BOT_RESULTS, BotInfo } from "./bot-info";
import { RawDeviceAttributes } from "./raw-device-attributes";
import { Count, Level, Ratio, Timestamp } from "./scalars";
import { Velocity } from "./velocity";

/** How rare a device is, as a range of percentiles. */
export const RARE_DEVICE_BUCKETS = [
  "<p95",
  "p95-p99",
  "p99-p99.5",
  "p99.5-p99.9",
  "p99.9+",
  "not_seen",
] as const;

/** The members of an event that tell of its device, its browser and its visitor. */
export const deviceSignals = {
  active_call: z.boolean().optional(),
  bot: openEnum(BOT_RESULTS).optional(),
  bot_type: z.string().optional(),
  bot_info: BotInfo.optional(),
  cloned_app: z.boolean().optional(),
  developer_tools: z.boolean().optional(),
  emulator: z.boolean().optional(),
  factory_reset_timestamp: Timestamp.describe("0: no reset found.").optional(),
  frida: z.boolean().optional(),
  high_activity_device: z.boolean().optional(),
  incognito: z.boolean().optional(),
  jailbroken: z.boolean().optional(),
  labels: z
    .array(
      z.looseObject({
        label: z.string(),
        prediction: z.boolean().optional(),
        ml_score: Ratio.optional(),
      }),
    )
    .optional(),
  location_spoofing: z.boolean().optional(),
  mitm_attack: z.boolean().optional(),
  privacy_settings: z.boolean().optional(),
  rare_device: z.boolean().optional(),
  rare_device_percentile_bucket: openEnum(RARE_DEVICE_BUCKETS).optional(),
  raw_device_attributes: RawDeviceAttributes.optional(),
  root_apps: z.boolean().optional(),
  simulator: z.boolean().optional(),
  suspect_score: Count.describe("A weighted sum of signals.").optional(),
  tampering: z.boolean().optional(),
  tampering_confidence: Level.optional(),
  tampering_ml_score: Ratio.optional(),
  tampering_details: z
    .looseObject({
      anomaly_score: Ratio.optional(),
      anti_detect_browser: z.boolean().optional(),
    })
    .optional(),
  velocity: Velocity.optional(),
  virtual_machine: z.boolean().optional(),
  virtual_machine_ml_score: Ratio.optional(),
};
