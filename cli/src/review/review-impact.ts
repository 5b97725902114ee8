import type { Rule } from "@devid/sdk/rules";
import type { Impact } from "@devid/sdk/rules/replay";
import type { Absent } from "@devid/sdk/rules/review";
import { configuredClient } from "../configured-client";
import { eventEnvironment } from "../event-environment";
import { withEventProgress } from "../with-event-progress";

/** What is replayed, on which events. */
export interface ReviewedChange {
  readonly proposed: readonly Rule[];
  readonly inForce: readonly Rule[];
  /** The events from then until now. */
  readonly since: Date;
  readonly sample?: number;
  /** ID or name. Default: the default environment. */
  readonly environment?: string;
  readonly region?: string;
}

/**
 * What a change would have done to past events, or why that was not measured:
 * no secret key is configured, or the service does not answer.
 * @throws UsageError; the errors of the client for what will not pass by itself
 */
export async function reviewImpact(
  change: ReviewedChange,
): Promise<Impact | Absent> {
  const client = await configuredClient(change);
  const { region, secretKey } = client.configuration;
  if (!secretKey)
    return { absent: `no secret API key is configured for region ${region}` };
  const { impactOf } = await import("@devid/sdk/rules/replay");
  const { proposed, inForce, since, sample } = change;
  try {
    const environment = await eventEnvironment(client, change.environment);
    return await withEventProgress((onProgress, signal) =>
      impactOf(client, {
        proposed,
        inForce,
        start: since,
        end: new Date(),
        sample,
        environment,
        signal,
        onProgress,
      }),
    );
  } catch (error) {
    if (!(error instanceof Error) || !MAY_PASS.has(error.name)) throw error;
    return { absent: error.message };
  }
}

/** Names of errors that say nothing against what was asked. */
const MAY_PASS: ReadonlySet<string> = new Set([
  "SearchTimeoutError",
  "ServerError",
  "ThrottledError",
  "UnreachableError",
]);
