import { distance } from "@devid/sdk/errors";

/** The text with the smallest distance up to a limit; undefined if there is none. */
export function nearest(
  text: string,
  texts: readonly string[],
  most: number,
): string | undefined {
  let best: string | undefined;
  let least = most + 1;
  for (const one of texts) {
    if (Math.abs(one.length - text.length) >= least) continue;
    const far = distance(text, one);
    if (far < least) [best, least] = [one, far];
  }
  return best;
}
