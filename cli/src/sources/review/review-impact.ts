import type { Client } from "@devid/sdk";
import type { Rule, RuleSetDiffs } from "@devid/rules";
import type { ReviewSubject } from "@devid/rules/review";
import type { EnvironmentPlace } from "../live-rules";
import { replayEvents } from "../past-events";

/** What is replayed, on which events. */
export interface ReviewedChange {
  readonly proposed: readonly Rule[];
  readonly inForce: readonly Rule[];
  /** The events from then until now. */
  readonly since: Date;
  readonly sample?: number;
  readonly withinMs?: number;
  /** What is known already of how the two sets differ. */
  readonly diffs: RuleSetDiffs;
  /** Whose events. */
  readonly environment: () => Promise<EnvironmentPlace>;
}

/**
 * What a change would have done to past events, or why that was not measured:
 * no secret key is configured, or the service does not answer.
 * @throws UsageError; the errors of the client for what will not pass by itself
 */
export async function reviewImpact(
  client: Client,
  { environment, since, ...change }: ReviewedChange,
): Promise<ReviewSubject["impact"]> {
  const { region, secretKey } = client.configuration;
  if (!secretKey)
    return { absent: `no secret API key is configured for region ${region}` };
  try {
    const { id } = await environment();
    const range = { start: since, end: new Date() };
    return await replayEvents(client, { ...change, ...range, environment: id });
  } catch (error) {
    if (isPassing(error)) return { absent: error.message };
    throw error;
  }
}

/** Names of errors that say nothing against what was asked: another time it may be answered. */
const PASSING: ReadonlySet<string> = new Set([
  "SearchTimeoutError",
  "ServerError",
  "ThrottledError",
  "UnreachableError",
]);

/** Whether an error of the client may pass by itself. */
export function isPassing(error: unknown): error is Error {
  return error instanceof Error && PASSING.has(error.name);
}
