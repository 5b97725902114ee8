import { setImmediate } from "node:timers/promises";
import { AnswerError } from "../http/answer-error";
import type { EventPlace } from "../store/event-walk";

/** How long somebody waits for a search. */
export interface Patience {
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  /** When time is up, as `performance.now()` tells it. */
  readonly endsAt: number;
}

/**
 * Takes places out of a walk, slice by slice, until there are enough; others
 * go first between two slices. Throws AnswerError when time is up before.
 */
export async function collectPlaces(
  slices: Iterable<readonly EventPlace[]>,
  enough: number,
  { signal, endsAt }: Patience,
): Promise<EventPlace[]> {
  const places: EventPlace[] = [];
  let isFirst = true;
  for (const slice of slices) {
    if (!isFirst && performance.now() > endsAt)
      throw new AnswerError("gateway_timeout", "gateway timeout");
    isFirst = false;
    places.push(...slice);
    if (places.length >= enough) break;
    await setImmediate();
    if (signal.aborted)
      throw new AnswerError("gateway_timeout", "nobody waits for the answer");
  }
  return places.slice(0, enough);
}
