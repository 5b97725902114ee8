import { containsUnknownText, readRulesInForce } from "@devid/pulumi/state";
import { DevidError, isOutage, type Client, type Event } from "@devid/sdk";
import {
  impossibleOutcomes,
  measureImpact,
  type Impact,
} from "@devid/review/replay";
import { HeaderName, type Rule } from "@devid/rules";
import { z } from "zod";
import { isRuleSet, rulesOf } from "../declared-rules";
import { definePolicy, type Report } from "../define-policy";
import { clientOf, WhenUnreachable } from "../service-access";

const percentage = z.number().min(0).max(100);

const config = z.strictObject({
  hours: z
    .number()
    .positive()
    .max(2160)
    .default(24)
    .describe("How many hours back to look at events; at most 90 days."),
  maxPercent: percentage
    .default(1)
    .describe(
      "Highest share of newly denied events that passes, in percent of all events. An event that may be newly denied counts.",
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
      "With fewer events, a change is not judged and does not pass; `maxEvents` at most.",
    ),
  maxUndeterminedPercent: percentage
    .default(5)
    .describe(
      "With a larger share of events that may or may not be newly denied, a change is not judged and does not pass.",
    ),
  assumeNotSent: z
    .array(HeaderName)
    .prefault([])
    .describe(
      "Names of headers that no client sends: events are judged without them.",
    ),
  whenUnreachable: WhenUnreachable,
});

type Config = z.output<typeof config>;

/**
 * A change of a rule set newly denies only a few of the requests of the last hours.
 * Events lack some headers. An event whose decision depends on one of these may be
 * newly denied, and counts as if it were. A change that provably denies no further
 * request passes without looking at events.
 */
export const denyBlastRadius = definePolicy({
  name: "deny-blast-radius",
  description:
    "A change of a rule set must newly deny at most a small share of the requests of the last hours.",
  config,
  appliesTo: isRuleSet,
  async check({ resource, config, report }) {
    const { inputs, provider } = resource;
    const declared = rulesOf(resource);
    // An environment that is still to be created has no events.
    const isKnown = !containsUnknownText([inputs.environment, provider]);
    if (!declared || !isKnown) return;
    const proposed = declared.map(({ rule }) => rule);
    const client = clientOf(resource);
    const environment = await environmentOf(client, inputs.environment);
    const inForce = await comparedRules(client, environment);
    const { rules } = inForce;
    if (impossibleOutcomes(rules, proposed).has("newlyDenied")) return;
    const { assumeNotSent } = config;
    const impact = await measureImpact(
      newestEvents(client, config, environment),
      {
        ...{ inForce: rules, proposed, assumeNotSent, ...ANY_TIME },
        missingFor: "newlyDenied",
      },
    );
    reportImpact(impact, inForce, config, report);
  },
});

/** The service chooses the events by their time. */
const ANY_TIME = { start: 0, end: 8.64e15 };

/** The newest events of the last hours, `maxEvents` at most. */
async function* newestEvents(
  client: Client,
  { hours, maxEvents }: Config,
  environment: string | undefined,
): AsyncGenerator<Event> {
  let left = maxEvents;
  for await (const event of client.events.searchAll({
    start: Date.now() - hours * 3_600_000,
    ...(environment !== undefined && { environment: [environment] }),
  })) {
    yield event;
    if (--left === 0) return;
  }
}

/**
 * The ID of the environment. The default environment can only be found with a
 * management key. Without a key, events of every environment count.
 */
async function environmentOf(
  client: Client,
  declared: unknown,
): Promise<string | undefined> {
  if (typeof declared === "string") return declared;
  if (!client.configuration.managementKey) return undefined;
  return (await client.environments.findDefault())?.id;
}

/** The rules in force that a change is compared with. */
interface ComparedRules {
  /** Empty if they are unknown. */
  readonly rules: readonly Rule[];
  readonly unknown?: string;
}

/**
 * Reads the rules in force of an environment. They stay unknown without a
 * management key, and if the service refuses to list them.
 * @throws the errors of the client for a service that does not answer
 */
async function comparedRules(
  client: Client,
  environment: string | undefined,
): Promise<ComparedRules> {
  if (!client.configuration.managementKey)
    return { rules: [], unknown: "there is no management key to list them" };
  if (environment === undefined)
    return { rules: [], unknown: "there is no default environment" };
  try {
    return { rules: await readRulesInForce(client, environment) };
  } catch (error) {
    if (!(error instanceof DevidError) || isOutage(error)) throw error;
    return { rules: [], unknown: error.message };
  }
}

function reportImpact(
  impact: Impact,
  inForce: ComparedRules,
  config: Config,
  report: Report,
): void {
  const { events: looked, total, possible, rules, missing } = impact;
  const denied = total.newlyDenied.value;
  const cannotTell = possible.newlyDenied.value - denied;
  const { hours, maxPercent, maxUndeterminedPercent } = config;
  // The service is asked for `maxEvents` events at most.
  const minEvents = Math.min(config.minEvents, config.maxEvents);
  const isOver = (number: number, percentage: number) =>
    number * 100 > percentage * looked;
  const percent = (part: number) =>
    `${((part / Math.max(1, looked)) * 100).toFixed(1)} %`;
  const ofEvents = (part: number) =>
    `${part} of the ${looked} newest events of the last ${hours} h (${percent(part)})`;
  const fields = missing.map(({ field }) => field).join(", ");
  const undecided = `${ofEvents(cannotTell)} cannot be decided, because past events do not contain ${fields}`;
  const isUndecided = cannotTell > 0 ? [`${undecided}.`] : [];
  const unknown =
    inForce.unknown === undefined
      ? []
      : [
          `The rules in force are not known, so every denial counts as new: ${inForce.unknown.replace(/\.$/, "")}. Give the pack a management key in its environment, as DEVID_MANAGEMENT_KEY.`,
        ];
  const violation = (...lines: readonly string[]) =>
    report.violation(lines.join("\n"));
  if (looked < minEvents)
    violation(
      `What the change would newly deny cannot be judged: the last ${hours} h have ${looked} of the ${minEvents} events that are needed.`,
      ...(denied > 0 ? [`Of these ${looked}, ${denied} would be denied.`] : []),
      ...isUndecided,
      ...unknown,
      "See whether key, region and environment are those of the traffic; raise hours, or lower minEvents for this policy.",
    );
  else if (
    !isOver(denied, maxPercent) &&
    isOver(cannotTell, maxUndeterminedPercent)
  )
    violation(
      `What the change would newly deny cannot be judged: ${undecided}; at most ${maxUndeterminedPercent} % may be.`,
      ...(denied > 0 ? [`Of the others, ${denied} would be denied.`] : []),
      ...unknown,
      "If no client sends these headers, name them in assumeNotSent; otherwise raise maxUndeterminedPercent for this policy.",
    );
  else if (isOver(denied + cannotTell, maxPercent)) {
    const most =
      cannotTell > 0
        ? `, and up to ${denied + cannotTell} (${percent(denied + cannotTell)}) with those that cannot be decided`
        : "";
    violation(
      `The change would newly deny ${ofEvents(denied)}${most}; at most ${maxPercent} % may be.`,
      ...rules
        .filter(({ after }) => after === "deny")
        .map(
          ({ name, outcomes }) => [name, outcomes.newlyDenied.value] as const,
        )
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `  "${name}": ${count}`),
      ...isUndecided,
      ...unknown,
      "Narrow these rules. If so many are to be denied, raise maxPercent for this policy.",
    );
  }
}
