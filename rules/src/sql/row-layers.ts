import type { Dialect } from "./dialects/dialect";
import type { EventColumns } from "./event-columns";
import type { SqlText } from "./conditions/sql-cases";

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

  /** Names for the columns of a table. */
  columns(columns: EventColumns): EventColumns {
    const named = Object.entries(columns).flatMap(([member, sql]) =>
      typeof sql === "string"
        ? [[member, this.column(`c_${member.toLowerCase()}`, sql)]]
        : [],
    );
    return Object.fromEntries(named) as typeof columns;
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

  /** The names of the conditions. */
  get conditions(): readonly string[] {
    return [...this.#last.values()];
  }

  /** The rows with all names. */
  from(table: string, where: string): string {
    const [base, ...layers] = this.#layers;
    const list = (values: readonly NamedValue[] = []) =>
      values.map(({ name, sql }) => `${sql} AS ${name}`).join(", ");
    let rows = `SELECT ${list(base)} FROM ${table} WHERE ${where}`;
    for (const values of layers)
      if (values.length > 0)
        rows = `SELECT *, ${list(values)} FROM (${rows}) AS t`;
    return rows;
  }

  /** An expression of names, as one expression of a row of the table. */
  bound(expression: string, { bind }: Dialect): string {
    return this.#layers.reduceRight((bound, values) => {
      const used = values.filter(({ name }) =>
        new RegExp(`\\b${name}\\b`).test(bound),
      );
      return used.length === 0 ? bound : bind(used, bound);
    }, expression);
  }

  /** The columns of the table, and behind them what is made of the names before. */
  get #layers(): readonly (readonly NamedValue[])[] {
    return [
      [...this.#base].map(([name, sql]) => ({ name, sql })),
      ...[...this.#derived, this.#last].map((names) =>
        [...(names ?? [])].map(([sql, name]) => ({ name, sql })),
      ),
    ];
  }
}

interface NamedValue {
  readonly name: string;
  readonly sql: string;
}
