import { DevidError, NotFoundError, ServiceError } from "@devid/sdk";

/** Collects the items of a list that comes in pages. */
export async function everyItem<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The answer of a read, or `undefined` when the service no longer has the object. */
export async function orMissing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** One answer says that an object does not exist, and another one has it; nothing was changed. */
export class ContradictionError extends DevidError {
  override readonly name = "ContradictionError";

  /** @param missing the answer of 404; `has` says what has the object */
  constructor(missing: NotFoundError, has: string) {
    super(
      `${missing.message}\nBut ${has}, so the object counts as existing, and the state keeps it. Run the command again. If the error comes back, check what answers in place of the service, such as a proxy or a gateway.`,
    );
  }
}

/** Statuses of a service that has no such list, or refuses it to this key. */
const REFUSALS = [403, 404, 405, 501];

/**
 * Whether an error says that the service does not list objects of a kind. An error
 * without a code is not the service's own, but that of a proxy or a gateway.
 */
export function refusesList(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError &&
    error.code !== undefined &&
    REFUSALS.includes(error.status)
  );
}

type WithoutNulls<T> = {
  [K in keyof T]: null extends T[K] ? Exclude<T[K], null> | undefined : T[K];
};

/** A record of the service without the fields that are `null`: state has no nulls. */
export function withoutNulls<T extends object>(answer: T): WithoutNulls<T> {
  return Object.fromEntries(
    Object.entries(answer).filter(([, value]) => value !== null),
  ) as WithoutNulls<T>;
}
