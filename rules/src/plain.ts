/** A value as a schema reads it, that nobody changes. */
export type Plain<T> = T extends object
  ? { readonly [K in keyof T]: Plain<T[K]> }
  : T;
