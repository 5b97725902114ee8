/** Endpoints that are used alone. Made by `withoutDefault`, not by hand. */
export interface WithoutDefault {
  readonly __type__: "withoutDefault";
  readonly value: string | readonly string[];
}

/**
 * Keeps the default endpoint from being the last one tried
 * (docs/contract.md, "start()").
 *
 * @example
 * start({ apiKey, endpoints: withoutDefault("http://127.0.0.1:8787/us") });
 */
export function withoutDefault(
  value: string | readonly string[],
): WithoutDefault {
  return { __type__: "withoutDefault", value };
}

/** Whether a value was made by `withoutDefault`, here or by another copy of the agent. */
export function isWithoutDefault(value: unknown): value is WithoutDefault {
  return (
    typeof value === "object" &&
    value !== null &&
    "__type__" in value &&
    value.__type__ === "withoutDefault"
  );
}
