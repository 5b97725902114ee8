import type { ReadEvents } from "../read-events";
import type { ReplayRange } from "../replay-options";

/** One in each of so many equal parts of the range. */
const PLACES = 16;

/** How many events behind a place tell how dense they are there. */
const LOOKED_AT = 50;

/**
 * About how many events a range holds, from a look at a few places drawn at
 * random. It says how many slices make a sample, and has no part in the figures.
 */
export async function guessTotal(
  read: ReadEvents,
  { start, end }: ReplayRange,
  random: () => number,
): Promise<number> {
  const step = (end - start) / PLACES;
  const places = Array.from(
    { length: PLACES },
    (_, n) => start + Math.floor((n + random()) * step),
  );
  const densities = await Promise.all(
    places.map((place) => densityAt(read, place, end)),
  );
  return densities.reduce((total, density) => total + density * step, 0);
}

/** Events a millisecond. */
async function densityAt(
  read: ReadEvents,
  start: number,
  end: number,
): Promise<number> {
  let seen = 0;
  for await (const { timestamp } of read({ start, end: end - 1 }, LOOKED_AT)) {
    seen += 1;
    if (seen === LOOKED_AT) return seen / (timestamp + 1 - start);
  }
  return seen / (end - start);
}
