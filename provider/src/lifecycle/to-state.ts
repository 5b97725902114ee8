/**
 * A value as the engine can keep it: without any `undefined`, at any depth.
 * One left in would fail the call after the remote object was made.
 */
export function toState(value: object): Record<string, unknown> {
  return strip(value) as Record<string, unknown>;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value))
    return value.filter((v) => v !== undefined).map(strip);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, strip(member)]),
  );
}
