import type { Client } from "@devid/sdk";
import {
  impactOf,
  usageOf,
  type EventsUsageOptions,
  type Impact,
  type ImpactOptions,
  type Usage,
} from "@devid/review/replay";
import { noEventsHint } from "../output/event-text";
import { withEventProgress } from "../output/progress";

/** The rules and events of a replay, and its time limit. */
export type Replay = Omit<ImpactOptions, "signal" | "onProgress">;

/**
 * Finds out what rules would have done to past events. On a terminal it shows the
 * progress, and it gives a hint where there was no event.
 * @throws the errors of `impactOf`
 */
export async function replayEvents(
  client: Client,
  replay: Replay,
): Promise<Impact> {
  const impact = await withEventProgress((onProgress, signal) =>
    impactOf(client, { ...replay, signal, onProgress }),
  );
  if (impact.events === 0) process.stderr.write(noEventsHint());
  return impact;
}

/**
 * Counts what rules did on past events. On a terminal it shows the progress, and it
 * gives a hint where there was no event.
 * @throws the errors of `usageOf`
 */
export async function eventsUsage(
  client: Client,
  options: Omit<EventsUsageOptions, "signal" | "onProgress">,
): Promise<Usage> {
  const usage = await withEventProgress((onProgress, signal) =>
    usageOf(client, { ...options, signal, onProgress }),
  );
  if (usage.events === 0) process.stderr.write(noEventsHint());
  return usage;
}
