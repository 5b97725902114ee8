/** Bits of a column: every client reads integers below 2^53 exactly. */
const BITS_OF_COLUMN = 52;

/**
 * Packs conditions into the bits of as few integers as possible, in SQL. A null
 * condition counts as false.
 */
export function packed(conditions: readonly string[]): string[] {
  const count = Math.ceil(conditions.length / BITS_OF_COLUMN);
  return Array.from({ length: count }, (_, i) =>
    conditions
      .slice(i * BITS_OF_COLUMN, (i + 1) * BITS_OF_COLUMN)
      .map((sql, n) => `CASE WHEN ${sql} THEN ${2 ** n} ELSE 0 END`)
      .join(" + "),
  );
}

/** The integer of a bit, and the position of the bit in it. */
export const placeOfBit = (bit: number) => ({
  integer: Math.floor(bit / BITS_OF_COLUMN),
  place: bit % BITS_OF_COLUMN,
});

/** Whether integers that were read from a row have a bit. */
export function hasBit(integers: readonly bigint[], bit: number): boolean {
  const { integer, place } = placeOfBit(bit);
  return (((integers[integer] ?? 0n) >> BigInt(place)) & 1n) === 1n;
}
