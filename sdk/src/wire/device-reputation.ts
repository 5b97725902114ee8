import * as z from "zod";
import { openEnum } from "./open-enum";

/** The signals that a call can request (docs/contract.md, "GET /drn/{visitor_id}"). */
export const DRN_SIGNALS = [
  "regional_activity",
  "suspect_score",
  "timestamps",
] as const;

/** The name of a signal in a request. */
export type DrnSignal = (typeof DRN_SIGNALS)[number];

/** The options of a call for device reputation. */
export const DrnOptions = z.object({
  signals: z
    .array(
      z.enum(DRN_SIGNALS, `must be one of ${DRN_SIGNALS.join(", ")}`),
      "must be an array",
    )
    .min(1, "must not be empty"),
});

/** `X-API-Version` of the DRN API: the date of its last incompatible change. */
export const DRN_API_VERSION = "2024-09-01";

/** How a country was found: by the IP address, or by the origin. */
export const DETECTOR_TYPES = ["ip", "origin"] as const;

/** Countries in which the device was seen during 30 days; shares are 0 to 1. */
export const RegionalActivity = z.looseObject({
  startDate: z.string(),
  endDate: z.string(),
  countries: z.array(
    z.looseObject({
      code: z.string(),
      detectors: z.array(
        z.looseObject({
          type: openEnum(DETECTOR_TYPES),
          activityPercentage: z.number(),
        }),
      ),
    }),
  ),
});

const IpBlocklistWeights = z.looseObject({
  emailSpam: z.number().optional(),
  attackSource: z.number().optional(),
});

/** Weights of the signals that made a score; any other signal is a number under its name. */
export const SignalWeights = z.looseObject({
  vpn: z
    .looseObject({
      timezoneMismatch: z.number().optional(),
      publicVPN: z.number().optional(),
      auxiliaryMobile: z.number().optional(),
    })
    .optional(),
  ipBLocklist: IpBlocklistWeights.describe("Spelt so.").optional(),
  ipBlocklist: IpBlocklistWeights.optional(),
});

/** Lowest and highest suspect score of the device during 30 days. */
export const SuspectScore = z.looseObject({
  startDate: z.string(),
  endDate: z.string(),
  minimum: z.looseObject({ value: z.number(), signals: SignalWeights }),
  maximum: z.looseObject({
    value: z.number(),
    percentile: z.number().optional(),
    signals: SignalWeights,
  }),
});

/** When the device was first and last seen. */
export const Timestamps = z.looseObject({
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
});

/**
 * Behaviour and risk of an Android device: the requested signals (docs/contract.md,
 * "DRN record"). Dates are UTC, `2024-09-01T00:00:00Z`.
 */
export const DrnRecord = z.looseObject({
  regionalActivity: RegionalActivity.optional(),
  suspectScore: SuspectScore.optional(),
  timestamps: Timestamps.optional(),
});

/** Answer of `GET /drn/{visitor_id}`. */
export const DrnAnswer = z.looseObject({ data: DrnRecord });
