import { AmbiguousError, UnexpectedAnswerError } from "@devid/sdk";

/**
 * Makes a call that must not be repeated blindly. If it is unclear whether the
 * service carried it out, `look` reads what the service has now: its result
 * stands for the call's answer, and `undefined` means that the call's error is
 * thrown.
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
