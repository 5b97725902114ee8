import type { Client } from "@devid/sdk";
import type { Rule, RuleSetDiffs } from "@devid/rules";
import type { Absent, ReviewSubject } from "@devid/review";
import type { EnvironmentPlace } from "../live-rules";
import { eventsUsage, replayEvents } from "../past-events";
import {
  type NamedWarehouse,
  warehouseImpact,
  warehouseUsage,
} from "../warehouse-events";

/** The past events that a review judges rules by. */
export interface JudgedEvents {
  /** The events from this time until now count. */
  readonly since: Date;
  /** Default: now. */
  readonly until?: Date;
  /** Headers that no client sends. */
  readonly assumeNotSent: readonly string[];
  readonly environment: () => Promise<EnvironmentPlace>;
  readonly isEnvironmentNamed: boolean;
  /** Where past events are kept, if not in the service. */
  readonly warehouse?: NamedWarehouse;
}

/** The rules and events of a replay. */
export interface ReviewedChange extends JudgedEvents {
  readonly proposed: readonly Rule[];
  readonly inForce: readonly Rule[];
  readonly sample?: number;
  readonly withinMs?: number;
  /** Differences of rule sets that were computed before. */
  readonly diffs: RuleSetDiffs;
}

/**
 * Measures what a change would have done to past events. Returns the reason if no
 * secret key is configured or the service does not answer.
 * @throws UsageError; the errors of the client that a second try would not
 * solve
 */
export async function reviewImpact(
  client: Client,
  change: ReviewedChange,
): Promise<ReviewSubject["impact"]> {
  return judgedByEvents(client, change, async ({ place, range, warehouse }) => {
    const replay = { ...change, ...range };
    if (warehouse)
      return (await warehouseImpact(warehouse, replay, place)).impact;
    return replayEvents(client, { ...replay, environment: place.id });
  });
}

/** Counts what rules decided of past events, or says why not, as `reviewImpact` does. */
export async function reviewUsage(
  client: Client,
  { rules, ...events }: JudgedEvents & { readonly rules: readonly Rule[] },
): Promise<NonNullable<ReviewSubject["usage"]>> {
  const { assumeNotSent } = events;
  return judgedByEvents(client, events, async ({ place, range, warehouse }) => {
    const options = { rules, assumeNotSent, ...range };
    if (warehouse)
      return (await warehouseUsage(warehouse, options, place)).usage;
    return eventsUsage(client, { ...options, environment: place.id });
  });
}

async function judgedByEvents<Judged>(
  client: Client,
  {
    environment,
    since: start,
    until: end = new Date(),
    warehouse,
    isEnvironmentNamed: isNamed,
  }: JudgedEvents,
  judge: (events: {
    readonly place: EnvironmentPlace & { readonly isNamed: boolean };
    readonly range: { readonly start: Date; readonly end: Date };
    readonly warehouse: NamedWarehouse | undefined;
  }) => Promise<Judged>,
): Promise<Judged | Absent> {
  const { region, secretKey } = client.configuration;
  if (!warehouse && !secretKey)
    return { absent: `no secret API key is configured for region ${region}` };
  try {
    const place = { ...(await environment()), isNamed };
    return await judge({ place, range: { start, end }, warehouse });
  } catch (error) {
    if (isPassing(error)) return { absent: error.message };
    throw error;
  }
}

/** Names of errors that are temporary: the same request may succeed later. */
const PASSING: ReadonlySet<string> = new Set([
  "SearchTimeoutError",
  "ServerError",
  "ThrottledError",
  "UnreachableError",
]);

/** Whether an error of the client is temporary. */
export function isPassing(error: unknown): error is Error {
  return error instanceof Error && PASSING.has(error.name);
}
