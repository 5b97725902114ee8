import type { Client } from "@devid/sdk";
import type { Rule } from "@devid/rules";
import type { Absent, ReviewSubject } from "@devid/review";
import type { EnvironmentPlace } from "../live-rules";
import { type ImpactAndUsage, PastEvents } from "../past-events";
import type { NamedWarehouse } from "../warehouse-events";

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
  return judgedByEvents(client, change, (events, range) =>
    events.impact({ ...change, ...range }),
  );
}

/** The impact, and what rules decided about the same events. */
export async function reviewImpactAndUsage(
  client: Client,
  change: ReviewedChange & { readonly rules: readonly Rule[] },
): Promise<ImpactAndUsage | Absent> {
  return judgedByEvents(client, change, (events, range) =>
    events.impactAndUsage({ ...change, ...range }),
  );
}

/** Counts what rules decided of past events, or says why not, as `reviewImpact` does. */
export async function reviewUsage(
  client: Client,
  { rules, ...events }: JudgedEvents & { readonly rules: readonly Rule[] },
): Promise<NonNullable<ReviewSubject["usage"]>> {
  const { assumeNotSent } = events;
  return judgedByEvents(client, events, (past, range) =>
    past.usage({ rules, assumeNotSent, ...range }),
  );
}

async function judgedByEvents<Judged>(
  client: Client,
  {
    environment,
    since: start,
    until: end = new Date(),
    warehouse,
    isEnvironmentNamed,
  }: JudgedEvents,
  judge: (
    events: PastEvents,
    range: { readonly start: Date; readonly end: Date },
  ) => Promise<{ readonly found: Judged }>,
): Promise<Judged | Absent> {
  const { region, secretKey } = client.configuration;
  if (!warehouse && !secretKey)
    return { absent: `no secret API key is configured for region ${region}` };
  try {
    const place = await environment();
    const isNamed = isEnvironmentNamed;
    const events = new PastEvents(client, warehouse ?? {}, place, isNamed);
    return (await judge(events, { start, end })).found;
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
