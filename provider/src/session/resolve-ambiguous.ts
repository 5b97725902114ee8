import {
  AmbiguousError,
  CallTimeoutError,
  ServiceError,
  UnexpectedAnswerError,
  UnreachableError,
} from "@devid/sdk";

/**
 * Makes a call that must not be repeated blindly. If it is unclear whether the service
 * carried it out, `look` reads what the service has now; it gets the call's error. Its
 * result is returned as the call's answer; for `undefined`, the error is thrown. If the
 * service cannot be read, the call's error says so.
 */
export async function resolveAmbiguous<T>(
  call: () => Promise<T>,
  look: (error: Error) => Promise<T | undefined>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isUnclear(error)) throw error;
    const found = await look(error).catch((failure: unknown) => {
      if (!isUnread(failure)) throw failure;
      error.message += `\nLooking whether the service has done it failed, too: ${failure.message}`;
      return undefined;
    });
    if (found === undefined) throw error;
    return found;
  }
}

/** A gateway may answer with its own error after it has passed the call on. */
const isUnclear = (error: unknown): error is Error =>
  error instanceof AmbiguousError ||
  error instanceof UnexpectedAnswerError ||
  (error instanceof ServiceError && error.isForeign);

const isUnread = (error: unknown): error is Error =>
  error instanceof ServiceError ||
  error instanceof UnreachableError ||
  error instanceof UnexpectedAnswerError ||
  error instanceof CallTimeoutError;
