import type { Client } from "@devid/sdk";
import type { Rule, RuleSetDiffs } from "@devid/rules";
import type { ReviewSubject } from "@devid/rules/review";
import type { EnvironmentPlace } from "../live-rules";
import { replayEvents } from "../past-events";
import { type NamedWarehouse, warehouseImpact } from "../warehouse-events";

/** The rules and events of a replay. */
export interface ReviewedChange {
  readonly proposed: readonly Rule[];
  readonly inForce: readonly Rule[];
  /** The events from this time until now are replayed. */
  readonly since: Date;
  /** Default: now. */
  readonly until?: Date;
  readonly sample?: number;
  readonly withinMs?: number;
  /** Headers that no client sends. */
  readonly assumeNotSent: readonly string[];
  /**
   * The known differences of the two rule sets, which need no second
   * computation.
   */
  readonly diffs: RuleSetDiffs;
  /** The environment of the events. */
  readonly environment: () => Promise<EnvironmentPlace>;
  /** Where past events are kept, if not in the service. */
  readonly warehouse?: NamedWarehouse;
  /** Whether the user named the environment. */
  readonly isEnvironmentNamed: boolean;
}

/**
 * Finds out what a change would have done to past events, or says why it was
 * not measured: no secret key is configured, or the service does not answer.
 * @throws UsageError; the errors of the client that a second try would not
 * solve
 */
export async function reviewImpact(
  client: Client,
  {
    environment,
    since,
    until = new Date(),
    warehouse,
    isEnvironmentNamed: isNamed,
    ...change
  }: ReviewedChange,
): Promise<ReviewSubject["impact"]> {
  const { region, secretKey } = client.configuration;
  if (!warehouse && !secretKey)
    return { absent: `no secret API key is configured for region ${region}` };
  try {
    const place = await environment();
    const { id } = place;
    const range = { start: since, end: until };
    if (warehouse) {
      const replay = { ...change, ...range };
      const of = { ...place, isNamed };
      return (await warehouseImpact(warehouse, replay, of)).impact;
    }
    return await replayEvents(client, { ...change, ...range, environment: id });
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
