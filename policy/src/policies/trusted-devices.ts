import { STACK_TYPE } from "@devid/pulumi/state";
import type { DeviceReputation } from "@devid/sdk";
import { z } from "zod";
import { definePolicy } from "../define-policy";
import { reputationOf, WhenUnreachable } from "../service-access";

const config = z.strictObject({
  visitorIds: z
    .array(z.string().min(1))
    .max(100)
    .default([])
    .describe("Visitor IDs of the devices. Without any, nothing is checked."),
  allowedCountries: z
    .array(z.string().regex(/^[A-Za-z]{2}$/))
    .default([])
    .describe(
      "Countries in which the devices may have been seen, ISO 3166 codes of two letters; at least one where there are devices.",
    ),
  maxSuspectScore: z
    .number()
    .min(0)
    .default(10)
    .describe("Highest allowed suspect score of a device."),
  whenUnreachable: WhenUnreachable,
});

type Config = z.output<typeof config>;

/**
 * The devices that a team relies on, for example for approvals, have a clean
 * reputation (docs/contract.md, "DRN record"). The check runs once, before all
 * resources, so that an update stops before it changes anything.
 */
export const trustedDevices = definePolicy({
  name: "trusted-devices",
  description:
    "The named devices must have been seen in allowed countries only, and must not be suspect.",
  config,
  appliesTo: (type) => type === STACK_TYPE,
  async check({ resource, config, report }) {
    if (config.visitorIds.length === 0) return;
    if (config.allowedCountries.length === 0)
      return report.violation(
        "allowedCountries names no country, so no device can be trusted. Name the countries in which these devices may have been seen.",
      );
    for (const visitorId of config.visitorIds) {
      const signals = ["regional_activity", "suspect_score"] as const;
      const found = await reputationOf(resource, visitorId, { signals });
      for (const doubt of doubtsAbout(found, config))
        report.violation(
          `Device ${visitorId} ${doubt} Look into it, or take its visitor ID off the list.`,
        );
    }
  },
});

function doubtsAbout(
  reputation: DeviceReputation | undefined,
  config: Config,
): string[] {
  if (!reputation)
    return ["has no reputation: it is not known, or is not an Android device."];
  return [...abroad(reputation, config), ...suspect(reputation, config)];
}

function abroad(
  { regionalActivity }: DeviceReputation,
  { allowedCountries }: Config,
): string[] {
  if (!regionalActivity) return ["was answered without regional activity."];
  const allowed = new Set(allowedCountries.map((code) => code.toUpperCase()));
  const seen = regionalActivity.countries.map(({ code }) => code.toUpperCase());
  const others = seen.filter((code) => !allowed.has(code));
  const only = [...allowed].join(", ");
  if (seen.length === 0) return [`was seen in no country; allowed: ${only}.`];
  return others.length === 0
    ? []
    : [`was seen in ${others.join(", ")}; allowed: ${only}.`];
}

function suspect(
  { suspectScore }: DeviceReputation,
  { maxSuspectScore }: Config,
): string[] {
  if (!suspectScore) return ["was answered without a suspect score."];
  const { value } = suspectScore.maximum;
  return value > maxSuspectScore
    ? [
        `had a suspect score of ${value}; at most ${maxSuspectScore} is allowed.`,
      ]
    : [];
}
