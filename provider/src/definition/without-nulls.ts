type WithoutNulls<T> = {
  [K in keyof T]: null extends T[K] ? Exclude<T[K], null> | undefined : T[K];
};

/** An answer of the service with its nulls as `undefined`, which state leaves out. */
export function withoutNulls<T extends object>(answer: T): WithoutNulls<T> {
  return Object.fromEntries(
    Object.entries(answer).filter(([, value]) => value !== null),
  ) as WithoutNulls<T>;
}
