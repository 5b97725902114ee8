import type { SqlText } from "./sql-cases";

/**
 * Selects within selects, each of which gives names to what the next one uses more than
 * once. The names are ours, so nothing of a table can be taken for them.
 */
export class RowLayers {
  readonly #base = new Map<string, string>();
  readonly #derived: Map<string, string>[] = [];
  readonly #last = new Map<string, string>();

  /** A name for an expression of the table. */
  column(name: string, sql: string): string {
    this.#base.set(name, sql);
    return name;
  }

  /** A name for a text that is made of another one. */
  derive(sql: string, of: SqlText): SqlText {
    const level = of.level + 1;
    const names = (this.#derived[level - 1] ??= new Map<string, string>());
    const name = names.get(sql) ?? `d${level}_${names.size}`;
    names.set(sql, name);
    return { kind: "text", sql: name, level };
  }

  /** A name for a condition of all these. */
  condition(sql: string): string {
    const name = this.#last.get(sql) ?? `a${this.#last.size}`;
    this.#last.set(sql, name);
    return name;
  }

  /** The rows with all names. */
  from(table: string, where: string): string {
    const base = [...this.#base].map(([name, sql]) => `${sql} AS ${name}`);
    let rows = `SELECT ${base.join(", ")} FROM ${table} WHERE ${where}`;
    for (const names of [...this.#derived, this.#last]) {
      if (!names || names.size === 0) continue;
      const more = [...names].map(([sql, name]) => `${sql} AS ${name}`);
      rows = `SELECT *, ${more.join(", ")} FROM (${rows}) AS t`;
    }
    return rows;
  }
}
