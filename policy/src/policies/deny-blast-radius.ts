import { containsUnknownText } from "@devid/pulumi/unknown";
import type { Client } from "@devid/sdk";
import { z } from "zod";
import { declaredRules } from "../declared-rules";
import { definePolicy, type Report } from "../define-policy";
import { judgeEvents, type Judgement } from "../judge-events";
import { resourceType } from "../resource-type";
import { asking, clientFor, WhenUnreachable } from "../service-access";

const config = z.strictObject({
  hours: z
    .number()
    .positive()
    .max(2160)
    .default(24)
    .describe("How far back events are looked at, in hours; up to 90 days."),
  maxPercent: z
    .number()
    .min(0)
    .max(100)
    .default(1)
    .describe("Highest share of these events that may be denied, in percent."),
  maxEvents: z
    .int()
    .min(1)
    .max(100_000)
    .default(1000)
    .describe("How many events are looked at, the newest first."),
  countCannotTell: z
    .boolean()
    .default(false)
    .describe("Count an event as denied where it cannot be told."),
  whenUnreachable: WhenUnreachable,
});

type Config = z.output<typeof config>;

/**
 * A rule set denies few of the requests that were let through lately. An event
 * does not tell all headers; where it depends on one of those, it cannot be
 * told whether the request would have been denied.
 */
export const denyBlastRadius = definePolicy({
  name: "deny-blast-radius",
  description:
    "A rule set denies at most a small share of the requests that were let through lately.",
  config,
  appliesTo: (type) => type === resourceType("FilteringRuleSet"),
  async check({ resource: { inputs, provider }, config, report }) {
    const rules = declaredRules(inputs);
    // An environment that is not known yet has no events.
    const isKnown = !containsUnknownText([inputs.environment, provider]);
    if (!rules || !isKnown) return;
    await asking(config.whenUnreachable, report, async () => {
      const client = clientFor(provider);
      const environment = await environmentOf(client, inputs.environment);
      const window = { ...config, environment };
      tell(await judgeEvents(client, rules, window), config, report);
    });
  },
});

/** The default environment can be looked up with a management key only; without one, it is every environment. */
async function environmentOf(
  client: Client,
  declared: unknown,
): Promise<string | undefined> {
  if (typeof declared === "string") return declared;
  if (!client.configuration.managementKey) return undefined;
  return (await client.environments.findDefault())?.id;
}

function tell(judgement: Judgement, config: Config, report: Report): void {
  const { looked, denied, cannotTell } = judgement;
  const { hours, maxPercent, countCannotTell } = config;
  const counted = denied + (countCannotTell ? cannotTell : 0);
  if (looked === 0)
    report.notChecked(
      `there is no event of the last ${hours} h, so how many requests the rules would deny is not known.`,
    );
  else if (counted * 100 > maxPercent * looked)
    report.violation(tooMany(judgement, config));
  else if (cannotTell > 0)
    report.notChecked(
      `${notTold(judgement, config)}. Of the others, few enough would be denied.`,
    );
}

function tooMany(judgement: Judgement, config: Config): string {
  const { looked, denied, cannotTell, deniedBy } = judgement;
  const counts = config.countCannotTell ? ", and counts as denied" : "";
  return [
    `The rules would deny ${denied} of ${events(looked, config)} (${percent(denied, looked)}); at most ${config.maxPercent} % may be.`,
    ...[...deniedBy].map(([rule, count]) => `  ${rule}: ${count}`),
    ...(cannotTell > 0 ? [`${notTold(judgement, config)}${counts}.`] : []),
    "Narrow these rules. If so many are to be denied, raise maxPercent for this policy.",
  ].join("\n");
}

function notTold({ looked, cannotTell }: Judgement, config: Config): string {
  return `${cannotTell} of ${events(looked, config)} (${percent(cannotTell, looked)}) cannot be told: it depends on headers or other parts that events do not keep`;
}

function events(looked: number, { hours }: Config): string {
  return `the ${looked} newest events of the last ${hours} h`;
}

function percent(part: number, whole: number): string {
  return `${((part / whole) * 100).toFixed(1)} %`;
}
