import type { Client } from "@devid/sdk";
import type { Impact, ImpactOptions } from "@devid/sdk/rules/replay";
import { withEventProgress } from "./with-event-progress";

/** A walk that takes no longer than this is not announced. */
const SHORT_MS = 5_000;

/** About how long reading the events will take. */
export interface Estimate {
  readonly events: number;
  readonly expectedMs: number;
}

/** What is replayed on which events, and how long that may take. */
export interface Replay extends Omit<ImpactOptions, "signal" | "onProgress"> {
  /** A sample is taken where reading all events would take longer. */
  readonly withinMs?: number;
}

/**
 * What rules would have done to past events. Standard error says beforehand how
 * long it will take, and on a terminal how far it has come.
 * @throws what `impactOf` throws
 */
export async function replayEvents(
  client: Client,
  replay: Replay,
): Promise<Impact> {
  const { impactOf } = await import("@devid/sdk/rules/replay");
  return withEventProgress((onProgress, signal) => {
    const options = {
      ...replay,
      signal,
      onProgress,
      onEstimate: (estimate: Estimate) => announce(estimate, replay),
    };
    return impactOf(client, options);
  });
}

function announce(estimate: Estimate, { withinMs, sample }: Replay): void {
  if (estimate.expectedMs < SHORT_MS) return;
  const isChosen = withinMs !== undefined || sample !== undefined;
  const advice = isChosen ? "" : " --within 60s takes a sample.";
  process.stderr.write(`${estimateText(estimate)}${advice}\n`);
}

/** Such as `About 100,000 events: about 3 min 20 s.` */
export function estimateText({ events, expectedMs }: Estimate): string {
  const seconds = Math.max(1, Math.round(expectedMs / 1_000));
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const time = [
    ...(minutes > 0 ? [`${minutes} min`] : []),
    ...(rest > 0 ? [`${rest} s`] : []),
  ].join(" ");
  return `About ${events.toLocaleString("en-US")} events: about ${time}.`;
}
