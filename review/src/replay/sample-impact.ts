import type { Event } from "@devid/sdk";
import type { Impact } from "./impact";
import type { Figures } from "./impact-figures";
import { ImpactCounter } from "./measure-impact";
import type { SamplePlan, Slice } from "./plan-reading";
import { RangeTotals } from "./range-totals";
import type { ReplayOptions } from "./replay-options";

/** Parts whose slices are read at the same time. */
const CONCURRENCY = 8;

/** Reads the slices of a sample and estimates the impact on all events of the range. */
export async function sampleImpact(
  read: ReadEvents,
  plan: SamplePlan,
  options: ReplayOptions & {
    /** Called after each event with the part of the work that is done. */
    readonly onEvent?: (share: number) => void;
  },
  counter = new ImpactCounter(options),
): Promise<Impact> {
  const totals = new RangeTotals(plan, counter.figures());
  let done = 0;
  const figuresOf = async (slice: Slice): Promise<Figures> => {
    const figures = counter.figures();
    for await (const event of read(slice)) {
      counter.add(event, figures);
      options.onEvent?.(done / plan.parts.length);
    }
    return figures;
  };
  const left = plan.parts.values();
  const work = async () => {
    for (const [one, other] of left) {
      totals.add(await figuresOf(one), await figuresOf(other));
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return counter.impact(totals.seen, totals);
}

/** Reads the events of a time range, Unix milliseconds, both ends included, the oldest first. */
export type ReadEvents = (range: {
  readonly start: number;
  readonly end: number;
}) => AsyncIterable<Event>;
