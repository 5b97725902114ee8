import {
  definePolicy,
  eventsOf,
  kindOfType,
  reputationOf,
  rulesOf,
  STACK_TYPE,
  WhenUnreachable,
} from "@devid/policy/define";
import { z } from "zod";

const HOUR_MS = 3_600_000;

/** Reads the events of the last hour. It runs once, before all resources. */
export const calmTraffic = definePolicy({
  name: "calm-traffic",
  description: "Few of the visits of the last hour must be bad bots.",
  config: z.strictObject({
    maxPercent: z
      .number()
      .default(20)
      .describe("Highest share of bad bots, in percent."),
    whenUnreachable: WhenUnreachable,
  }),
  appliesTo: (type) => type === STACK_TYPE,
  async check({ resource, config, report }) {
    const start = Date.now() - HOUR_MS;
    let [events, bots] = [0, 0];
    for await (const { bot } of eventsOf(resource, { start })) {
      events += 1;
      if (bot === "bad") bots += 1;
      if (events === 1_000) break;
    }
    if (events === 0) report.notChecked("there is no event of the last hour.");
    else if (bots > (config.maxPercent / 100) * events)
      report.violation(
        `${bots} of the ${events} newest visits of the last hour are bad bots. Deploy when the attack is over, or raise maxPercent.`,
      );
  },
});

/** Reads the device reputation of the phone that approves deployments. */
export const approvedPhone = definePolicy({
  name: "approved-phone",
  description: "The phone that approves deployments must not be suspect.",
  config: z.strictObject({
    visitorId: z
      .string()
      .optional()
      .describe("Visitor ID of the phone. Without one, nothing is checked."),
    whenUnreachable: WhenUnreachable,
  }),
  appliesTo: (type) => type === STACK_TYPE,
  async check({ resource, config: { visitorId }, report }) {
    if (visitorId === undefined) return;
    const reputation = await reputationOf(resource, visitorId);
    const score = reputation?.suspectScore?.maximum.value;
    if (score === undefined)
      report.violation(`The service knows no suspect score of ${visitorId}.`);
    else if (score > 10)
      report.violation(
        `${visitorId} had a suspect score of ${score}; at most 10 is allowed.`,
      );
  },
});

/** Looks at the rules of a rule set. */
export const namedRules = definePolicy({
  name: "named-rules",
  description: 'The name of a rule that denies must begin with "block-".',
  config: z.strictObject({}),
  appliesTo: (type) => kindOfType(type) === "FilteringRuleSet",
  check({ resource, report }) {
    for (const { rule } of rulesOf(resource) ?? [])
      if (rule.action === "deny" && !rule.name.startsWith("block-"))
        report.violation(`Rename "${rule.name}" to "block-${rule.name}".`);
  },
});

/** Sets a missing rate limit. This policy has a remedy, and the level `remediate`. */
export const keyIsLimited = definePolicy({
  name: "key-is-limited",
  description: "An API key must have a rate limit.",
  enforcementLevel: "remediate",
  config: z.strictObject({}),
  appliesTo: (type) => kindOfType(type) === "ApiKey",
  remedy: ({ resource: { inputs } }) =>
    inputs.rateLimit === undefined ? { rateLimit: 50 } : undefined,
  check({ resource: { inputs }, report }) {
    if (inputs.rateLimit === undefined)
      report.violation("Set rateLimit: the key can be used without a limit.");
  },
});
