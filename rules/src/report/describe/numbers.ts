/** A whole number with commas: `12,345`. */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A number of things in words: `1 event`, `2 events`. */
export function count(value: number, what: string): string {
  return `${grouped(value)} ${what}${value === 1 ? "" : "s"}`;
}

/** For example `from 2026-10-01 00:00:00 to 2026-10-31 00:00:00 UTC`. */
export function describeRange({
  start,
  end,
}: {
  readonly start: string;
  readonly end: string;
}): string {
  const [from, to] = [start, end].map((time) =>
    time.slice(0, 19).replace("T", " "),
  );
  return `from ${from} to ${to} UTC`;
}
