import { packed, placeOfBit } from "./conditions/bits";
import type { Dialect } from "./dialects/dialect";

/** An expression, and the name that it gets in a select. */
export interface NamedSql {
  readonly name: string;
  readonly sql: string;
}

/**
 * Computes conditions once for each distinct text of a column. The rows are then joined
 * with the texts for which a condition is true.
 */
export class TextLookUp {
  /** The integers that hold the results as bits, by their names in the joined rows. */
  readonly integers: readonly NamedSql[];
  /** The conditions, read from the bits of these integers. */
  readonly bits: readonly NamedSql[];

  /** @param column the name of the column in the rows */
  constructor(
    private readonly dialect: Dialect,
    readonly column: string,
    readonly conditions: readonly NamedSql[],
  ) {
    const found = packed(conditions.map(({ sql }) => sql));
    this.integers = found.map((_, i) => ({
      name: `w_${column}${i}`,
      sql: `coalesce(l_${column}${i}, 0)`,
    }));
    this.bits = bitsOf(dialect, this.integers, conditions);
  }

  /**
   * The SQL that joins rows with their integers.
   * @param texts a table of the distinct texts of the column, under the column's name,
   * with the number of rows as `events`
   */
  join(texts: string): string {
    const { column, dialect } = this;
    // An engine may compute a condition for each row if the condition does not depend
    // on the grouping.
    const found = packed(this.conditions.map(({ sql }) => sql)).map(
      (sql, i) =>
        `CASE WHEN events > 0 THEN ${sql} ELSE 0 END AS l_${column}${i}`,
    );
    const isAny = found.map((_, i) => `l_${column}${i} <> 0`).join(" OR ");
    return `${dialect.leftJoin} (SELECT * FROM (SELECT ${column} AS l_${column}, ${found.join(", ")} FROM (${texts}) AS t) AS t WHERE ${isAny}) AS t_${column} ON ${column} = l_${column}`;
  }
}

/** Reads conditions from the bits of integers. */
export function bitsOf(
  { hasBit }: Dialect,
  integers: readonly NamedSql[],
  conditions: readonly NamedSql[],
): NamedSql[] {
  return conditions.map(({ name }, bit) => {
    const { integer, place } = placeOfBit(bit);
    return { name, sql: hasBit(integers[integer]?.name ?? "0", place) };
  });
}
