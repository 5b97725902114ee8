import { containsUnknownText, kindOfType } from "@devid/pulumi/state";
import type { Client } from "@devid/sdk";
import { decisionComparison, impossibleOutcomes } from "@devid/rules/replay";
import { z } from "zod";
import { declaredRules } from "../declared-rules";
import { definePolicy, type Report } from "../define-policy";
import { judgeEvents, type Judgement } from "../judge-events";
import { comparedRules, type ComparedRules } from "../compared-rules";
import { asking, clientFor, WhenUnreachable } from "../service-access";

const config = z.strictObject({
  hours: z
    .number()
    .positive()
    .max(2160)
    .default(24)
    .describe("How many hours back to look at events; at most 90 days."),
  maxPercent: z
    .number()
    .min(0)
    .max(100)
    .default(1)
    .describe(
      "Highest share of newly denied events that passes, in percent of the events whose decision is known.",
    ),
  maxEvents: z
    .int()
    .min(1)
    .max(100_000)
    .default(1000)
    .describe("Largest number of events to look at, the newest first."),
  minEvents: z
    .int()
    .min(0)
    .default(100)
    .describe(
      "With fewer events whose decision is known, a change is not judged and does not pass; `maxEvents` at most.",
    ),
  countCannotTell: z
    .boolean()
    .default(false)
    .describe("Count events whose decision is not known as newly denied."),
  whenUnreachable: WhenUnreachable,
});

type Config = z.output<typeof config>;

/**
 * A change of a rule set newly denies only a few of the requests of the last hours.
 * Events lack some headers; where the decision depends on one of these, it stays
 * open whether the request would have been denied. A change that provably denies no
 * further request passes without looking at events.
 */
export const denyBlastRadius = definePolicy({
  name: "deny-blast-radius",
  description:
    "A change of a rule set newly denies at most a small share of the requests of the last hours.",
  config,
  appliesTo: (type) => kindOfType(type) === "FilteringRuleSet",
  async check({ resource: { inputs, provider }, config, report }) {
    const declared = declaredRules(inputs);
    // An environment that is still to be created has no events.
    const isKnown = !containsUnknownText([inputs.environment, provider]);
    if (!declared || !isKnown) return;
    const proposed = declared.map(({ rule }) => rule);
    await asking(config.whenUnreachable, report, async () => {
      const client = clientFor(provider);
      const environment = await environmentOf(client, inputs.environment);
      const inForce = await comparedRules(client, environment);
      const impossible = impossibleOutcomes(inForce.rules, proposed);
      if (impossible.has("newlyDenied")) return;
      const compare = decisionComparison(inForce.rules, proposed, impossible);
      const window = { ...config, environment };
      const judgement = await judgeEvents(client, compare, window);
      reportJudgement(judgement, inForce, config, report);
    });
  },
});

/** The ID of the environment. The default one can only be found with a management key; without one, events of every environment count. */
async function environmentOf(
  client: Client,
  declared: unknown,
): Promise<string | undefined> {
  if (typeof declared === "string") return declared;
  if (!client.configuration.managementKey) return undefined;
  return (await client.environments.findDefault())?.id;
}

function reportJudgement(
  judgement: Judgement,
  inForce: ComparedRules,
  config: Config,
  report: Report,
): void {
  const { denied, cannotTell } = judgement;
  const counted = denied + (config.countCannotTell ? cannotTell : 0);
  const of = judged(judgement, config);
  if (of < Math.min(config.minEvents, config.maxEvents))
    report.violation(tooFew(judgement, inForce, config));
  else if (counted * 100 > config.maxPercent * of)
    report.violation(tooMany(judgement, inForce, config));
  else if (cannotTell > 0)
    report.notChecked(
      `${notTold(judgement, config)}. Of the others, few enough would be newly denied.`,
    );
}

/** The number of events that count: all, or those whose decision is known. */
function judged({ looked, cannotTell }: Judgement, config: Config): number {
  return config.countCannotTell ? looked : looked - cannotTell;
}

function tooFew(
  judgement: Judgement,
  inForce: ComparedRules,
  config: Config,
): string {
  const { looked, denied, cannotTell } = judgement;
  const { hours, minEvents, maxEvents } = config;
  const told = judged(judgement, config);
  const found =
    looked === 0
      ? `there is no event of the last ${hours} h`
      : `of the last ${hours} h there are ${looked} events, of which ${told} can be told`;
  return [
    `What the change would newly deny cannot be judged: ${found}, and ${Math.min(minEvents, maxEvents)} are needed.`,
    ...(denied > 0 ? [`Of these ${told}, ${denied} would be denied.`] : []),
    ...(cannotTell > 0 ? [`${notTold(judgement, config)}.`] : []),
    ...notKnown(inForce),
    "See whether key, region and environment are those of the traffic; raise hours, or lower minEvents for this policy.",
  ].join("\n");
}

function tooMany(
  judgement: Judgement,
  inForce: ComparedRules,
  config: Config,
): string {
  const { looked, denied, cannotTell, deniedBy } = judgement;
  const counts = config.countCannotTell ? ", and counts as newly denied" : "";
  const of = judged(judgement, config);
  const share = percent(denied, of);
  const all =
    of < looked
      ? `the ${of} events that can be told (${share}), of the ${looked} newest of the last ${config.hours} h`
      : `${events(looked, config)} (${share})`;
  return [
    `The change would newly deny ${denied} of ${all}; at most ${config.maxPercent} % may be.`,
    ...[...deniedBy].map(([rule, count]) => `  ${rule}: ${count}`),
    ...(cannotTell > 0 ? [`${notTold(judgement, config)}${counts}.`] : []),
    ...notKnown(inForce),
    "Narrow these rules. If so many are to be denied, raise maxPercent for this policy.",
  ].join("\n");
}

function notKnown({ unknown }: ComparedRules): string[] {
  if (unknown === undefined) return [];
  return [
    `The rules in force are not known, so every denial counts as new: ${unknown.replace(/\.$/, "")}. Give the pack a management key in its environment, as DEVID_MANAGEMENT_KEY.`,
  ];
}

function notTold({ looked, cannotTell }: Judgement, config: Config): string {
  return `${cannotTell} of ${events(looked, config)} (${percent(cannotTell, looked)}) cannot be told: it depends on headers or other parts that events do not keep`;
}

function events(looked: number, { hours }: Config): string {
  return `the ${looked} newest events of the last ${hours} h`;
}

function percent(part: number, whole: number): string {
  return `${((part / Math.max(1, whole)) * 100).toFixed(1)} %`;
}
