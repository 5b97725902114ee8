import type { Client } from "@devid/sdk";
import {
  DeadlineTooShortError,
  impactOf,
  usageOf,
  type EventsUsageOptions,
  type Impact,
  type ImpactOptions,
  type ReadingEstimate,
  type Usage,
} from "@devid/review/replay";
import { UsageError } from "../errors";
import { noEventsHint } from "../output/event-text";
import { withEventProgress } from "../output/progress";

/** Milliseconds; a shorter replay is not announced. */
const SHORT_MS = 5_000;

/** The rules and events of a replay, and its time limit. */
export type Replay = Omit<
  ImpactOptions,
  "signal" | "onProgress" | "onEstimate"
>;

/**
 * Finds out what rules would have done to past events. Standard error says
 * beforehand how long that will take, on a terminal shows the progress, and gives a
 * hint where there was no event.
 * @throws UsageError if --within is too short; the errors of `impactOf`
 */
export async function replayEvents(
  client: Client,
  replay: Replay,
): Promise<Impact> {
  try {
    const impact = await withEventProgress((onProgress, signal) =>
      impactOf(client, {
        ...replay,
        signal,
        onProgress,
        onEstimate: (estimate) => announce(estimate, replay),
      }),
    );
    if (impact.events === 0) process.stderr.write(noEventsHint());
    return impact;
  } catch (error) {
    if (!(error instanceof DeadlineTooShortError)) throw error;
    const seconds = Math.ceil(error.leastMs / 1_000);
    throw new UsageError(
      `--within is too short: for so many past events, even the smallest sample takes ${seconds} s. Give --within ${seconds}s or more.`,
    );
  }
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

function announce(
  estimate: ReadingEstimate,
  { withinMs, sample }: Replay,
): void {
  if (estimate.expectedMs < SHORT_MS) return;
  const isChosen = withinMs !== undefined || sample !== undefined;
  const advice = isChosen ? "" : " --within 60s takes a sample.";
  process.stderr.write(`${estimateText(estimate)}${advice}\n`);
}

/** For example `About 100,000 events: about 3 min 20 s.` */
export function estimateText({ events, expectedMs }: ReadingEstimate): string {
  const seconds = Math.max(1, Math.round(rounded(expectedMs / 1_000)));
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const time = [
    ...(minutes > 0 ? [`${minutes} min`] : []),
    ...(rest > 0 ? [`${rest} s`] : []),
  ].join(" ");
  return `About ${rounded(events).toLocaleString("en-US")} events: about ${time}.`;
}

/** Rounds to two digits, because an estimate is not more precise. */
const rounded = (number: number) => Number(number.toPrecision(2));
