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
  active_call: z.boolean().nullish(),
  bot: openEnum(BOT_RESULTS).nullish(),
  bot_type: z.string().nullish(),
  bot_info: BotInfo.nullish(),
  cloned_app: z.boolean().nullish(),
  developer_tools: z.boolean().nullish(),
  emulator: z.boolean().nullish(),
  factory_reset_timestamp: Timestamp.describe("0: no reset found.").nullish(),
  frida: z.boolean().nullish(),
  high_activity_device: z.boolean().nullish(),
  incognito: z.boolean().nullish(),
  jailbroken: z.boolean().nullish(),
  labels: z
    .array(
      z
        .looseObject({
          label: z.string().nullable(),
          prediction: z.boolean().nullish(),
          ml_score: Ratio.nullish(),
        })
        .nullable(),
    )
    .nullish(),
  location_spoofing: z.boolean().nullish(),
  mitm_attack: z.boolean().nullish(),
  privacy_settings: z.boolean().nullish(),
  rare_device: z.boolean().nullish(),
  rare_device_percentile_bucket: openEnum(RARE_DEVICE_BUCKETS).nullish(),
  raw_device_attributes: RawDeviceAttributes.nullish(),
  root_apps: z.boolean().nullish(),
  simulator: z.boolean().nullish(),
  suspect_score: Count.describe("A weighted sum of signals.").nullish(),
  tampering: z.boolean().nullish(),
  tampering_confidence: Level.nullish(),
  tampering_ml_score: Ratio.nullish(),
  tampering_details: z
    .looseObject({
      anomaly_score: Ratio.nullish(),
      anti_detect_browser: z.boolean().nullish(),
    })
    .nullish(),
  velocity: Velocity.nullish(),
  virtual_machine: z.boolean().nullish(),
  virtual_machine_ml_score: Ratio.nullish(),
};
