import { AmbiguousError, UnexpectedAnswerError } from "@devid/sdk";

/**
 * Makes a call that must not be repeated blindly. If it is unclear whether the service
 * carried it out, `look` reads what the service has now. Its result is returned as the
 * call's answer; for `undefined`, the call's error is thrown.
 */
export async function resolveAmbiguous<T>(
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
