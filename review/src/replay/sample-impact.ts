import type { Event } from "@devid/sdk";
import type { Impact } from "./impact";
import { ImpactCounter } from "./measure-impact";
import { RangeTotals } from "./range-totals";
import type { ReplayOptions } from "./replay-options";
import { LEAST_SLICES, type SamplePlan, type Slice } from "./sample-plan";

/** Slices that are read at the same time. */
const CONCURRENCY = 8;

/**
 * Reads the slices of a sample, one of each part after the other, until the plan or the
 * time ends, and estimates the impact on all events of the range. The first two slices of
 * each part are read in any case. If every slice was read, the figures are exact.
 */
export async function sampleImpact(
  read: ReadEvents,
  plan: SamplePlan,
  options: ReplayOptions & {
    readonly withinMs?: number;
    /** Called after each event with the part of the work that is done. */
    readonly onEvent?: (share: number) => void;
  },
  counter = new ImpactCounter(options),
): Promise<Impact> {
  const { parts, wanted } = plan;
  const { withinMs = Infinity } = options;
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  const slicesPerPart = parts[0]?.length ?? 0;
  const totals = new RangeTotals(
    parts.length,
    slicesPerPart,
    counter.figures(),
  );
  const share = (round: number) =>
    Math.min(1, Math.max(round / wanted, elapsed() / withinMs));
  let longestMs = 0;
  for (let round = 0; round < wanted; round++) {
    const startedMs = elapsed();
    if (round >= LEAST_SLICES && startedMs + longestMs > withinMs) break;
    const left = parts.entries();
    const work = async () => {
      for (const [part, slices] of left) {
        const slice = slices[round];
        if (slice === undefined) continue;
        const figures = counter.figures();
        for await (const event of read(slice)) {
          counter.addEvent(event, figures);
          options.onEvent?.(share(round));
        }
        totals.add(part, figures);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    longestMs = Math.max(longestMs, elapsed() - startedMs);
  }
  return counter.impact(totals.seen, totals.isWhole ? undefined : totals);
}

/** Reads the events of a time range, Unix milliseconds, both ends included, the oldest first. */
export type ReadEvents = (range: Slice) => AsyncIterable<Event>;
