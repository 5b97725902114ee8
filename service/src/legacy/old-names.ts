/** A value with all its members, at every level, in camelCase. */
export function camelDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelDeep);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      camelName(name),
      camelDeep(member),
    ]),
  );
}

/** `precisionRadius` of `precision_radius`. */
export function camelName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
}

/** ISO 8601 of Unix milliseconds; undefined where there are none, or no such time. */
export function isoTime(timeMs: number | null | undefined): string | undefined {
  const time = new Date(timeMs ?? NaN);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
