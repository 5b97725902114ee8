import { NotFoundError } from "@devid/sdk";

/** What a read answers, or `undefined` when the service no longer has the object. */
export async function orMissing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
