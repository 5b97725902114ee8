import { AmbiguousError, UnexpectedAnswerError } from "@devid/sdk";

/**
 * Makes a call that must not be repeated blindly. If it is unclear whether the service
 * carried it out, `look` reads what the service has now; it gets the call's error. Its
 * result is returned as the call's answer; for `undefined`, the error is thrown.
 */
export async function resolveAmbiguous<T>(
  call: () => Promise<T>,
  look: (error: Error) => Promise<T | undefined>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const isUnclear =
      error instanceof AmbiguousError || error instanceof UnexpectedAnswerError;
    const found = isUnclear ? await look(error) : undefined;
    if (found === undefined) throw error;
    return found;
  }
}
