import { AmbiguousError, UnexpectedAnswerError } from "@devid/sdk";

/**
 * Makes a call that must not be repeated blindly. When it got no clear answer,
 * `look` tells whether it was done: what it answers is the result, and
 * `undefined` leaves the call's error standing.
 */
export async function settleByLooking<T>(
  call: () => Promise<T>,
  look: () => Promise<T | undefined>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const isUnclear =
      error instanceof AmbiguousError || error instanceof UnexpectedAnswerError;
    const found = isUnclear ? await look() : undefined;
    if (found === undefined) throw error;
    return found;
  }
}
