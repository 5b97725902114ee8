type Camel<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;

/** An object type with its keys in camelCase. The keys of nested objects stay. */
export type CamelKeys<T> = {
  [K in keyof T as K extends string ? Camel<K> : K]: T[K];
};

const toCamel = (key: string) =>
  key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const toSnake = (key: string) =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `{rate_limit: 5}` becomes `{rateLimit: 5}`; members are left as they are. */
export function camelKeys<T extends object>(value: T): CamelKeys<T> {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [toCamel(key), member]),
  ) as CamelKeys<T>;
}

/**
 * `{rateLimit: 5}` becomes `{rate_limit: 5}`. If an object has both spellings, as API
 * keys may (docs/contract.md, "API key record"), the snake_case one wins.
 */
export function snakeKeys(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const name = toSnake(key);
      const wins = name === key || !Object.hasOwn(value, name);
      return wins ? [[name, member as unknown] as const] : [];
    }),
  );
}

/** A property path of the service in our spelling: `rules[2].deny_with` becomes `rules[2].denyWith`. */
export function camelPath(path: string): string {
  return toCamel(path);
}
