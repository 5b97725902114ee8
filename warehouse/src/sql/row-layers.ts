import { packed } from "./conditions/bits";
import type { SqlText } from "./conditions/sql-cases";
import type { Dialect } from "./dialects/dialect";
import type { EventColumns } from "./event-columns";
import { bitsOf, type NamedSql, TextLookUp } from "./text-look-up";

/** The columns whose texts many events share. */
const SHARED: readonly (keyof EventColumns)[] = [
  "userAgent",
  "origin",
  "sdkVersion",
  "appPackageName",
];

/** Rows of a table, grouped by the results of conditions. */
export interface RowGroups {
  /** The select that groups the rows. */
  readonly counted: string;
  /**
   * The groups, with the conditions, keys and figures as columns.
   * @param counted the text after FROM: the result of the first select
   */
  readonly readFrom: (counted: string) => string;
}

/** Up to this many conditions of a column are computed for each row. */
const FEW_CONDITIONS = 3;

/**
 * Nested selects. Each select names the expressions that the next select uses more than
 * once. The names are made here, so no column of a table can have the same name. If
 * many events share the texts of a column, a condition of that column is computed once
 * for each text.
 */
export class RowLayers {
  readonly #base = new Map<string, string>();
  readonly #derived: Map<string, string>[] = [];
  readonly #last = new Map<string, string>();
  /** The SQL of each name that is not a column. */
  readonly #made = new Map<string, string>();
  /** The names of texts that are empty in most rows. */
  readonly #rare = new Set<string>();

  constructor(private readonly dialect: Dialect) {}

  /** A name for an expression of the table. */
  column(name: string, sql: string): string {
    this.#base.set(name, sql);
    return name;
  }

  /** Names for the columns of a table. */
  columns({ flagsOf, ...columns }: EventColumns): EventColumns {
    const { isAiBot: _ai, isCrawlerBot: _crawler, ...others } = columns;
    const source = flagsOf ? others : columns;
    const found: EventColumns = Object.fromEntries(
      Object.entries(source).flatMap(([member, sql]) =>
        typeof sql === "string"
          ? [[member, this.column(columnName(member), sql)]]
          : [],
      ),
    ) as typeof source;
    if (!flagsOf || found.userAgent === undefined) return found;
    const flags = flagsOf(found.userAgent);
    const derived = (sql: string) =>
      this.derive(sql, { kind: "text", sql, level: 0 }).sql;
    return {
      ...found,
      flagsOf,
      isAiBot: derived(flags.isAiBot),
      isCrawlerBot: derived(flags.isCrawlerBot),
    };
  }

  /**
   * A name for a text that is derived from another text. A rare text is empty in most
   * rows, and every condition of an empty rare text is false.
   */
  derive(sql: string, of: SqlText, isRare = false): SqlText {
    const level = of.level + 1;
    const names = (this.#derived[level - 1] ??= new Map<string, string>());
    const name = names.get(sql) ?? `d${level}_${names.size}`;
    names.set(sql, name);
    this.#made.set(name, sql);
    if (isRare) this.#rare.add(name);
    return { kind: "text", sql: name, level };
  }

  /** A name for a condition of columns and derived texts. */
  condition(sql: string): string {
    const name = this.#last.get(sql) ?? `a_${this.#last.size}`;
    this.#last.set(sql, name);
    this.#made.set(name, sql);
    return name;
  }

  /** A select's list of the columns of a table, under their names. */
  get named(): string {
    return [...this.#base].map(([name, sql]) => `${sql} AS ${name}`).join(", ");
  }

  /** The rows of a table that meet a condition of it, with all names. */
  rows(table: string, where: string): string {
    const { ofRow, lookUps } = this.#conditions();
    return selecting(
      this.#deriving(ofRow, this.#looked(lookUps, table, where)),
      [...ofRow, ...lookUps.flatMap((lookUp) => lookUp.bits)],
    );
  }

  /**
   * The rows of `rows`, grouped by the results of all conditions, which many rows
   * share.
   * @param keys expressions of a row
   * @param figures aggregates of a group, which may use the names of conditions
   */
  groups(
    table: string,
    where: string,
    keys: readonly NamedSql[],
    figures: readonly NamedSql[],
  ): RowGroups {
    const { ofRow, lookUps } = this.#conditions();
    const packs = this.#packs(ofRow);
    const integers = packs.flatMap((pack) => pack.integers);
    const rows = this.#deriving(ofRow, this.#looked(lookUps, table, where));
    const grouped = [
      ...integers,
      ...lookUps.flatMap((lookUp) => lookUp.integers),
      ...keys,
    ].map(({ name }) => name);
    const by = grouped.length === 0 ? "" : ` GROUP BY ${grouped.join(", ")}`;
    const said = [
      ...packs.flatMap((pack) =>
        bitsOf(this.dialect, pack.integers, pack.conditions),
      ),
      ...lookUps.flatMap((lookUp) => lookUp.bits),
    ];
    const inFigures = namesIn(figures.map(({ sql }) => sql).join(" "));
    const read = selecting(
      selecting(rows, [...integers, ...keys]),
      said.filter(({ name }) => inFigures.has(name)),
    );
    const others = [...keys, ...figures].map(({ name }) => name);
    return {
      counted: `SELECT ${[...grouped, ...figures.map(asNamed)].join(", ")} FROM (${read}) AS t${by}`,
      readFrom: (counted) =>
        `SELECT ${[...said.map(asNamed), ...others].join(", ")} FROM ${counted}`,
    };
  }

  /**
   * Replaces the names in an expression by their SQL, so that it is an expression of a
   * row of the table.
   */
  bound(expression: string): string {
    const columns = [...this.#base].map(([name, sql]) => ({ name, sql }));
    return [
      columns,
      ...[...this.#derived, this.#last].map(valuesOf),
    ].reduceRight((bound, values) => {
      const names = namesIn(bound);
      const used = values.filter(({ name }) => names.has(name));
      return used.length === 0 ? bound : this.dialect.bind(used, bound);
    }, expression);
  }

  /**
   * Packs conditions into bits of integers. A condition of a rare text is computed only
   * in rows in which the text is not empty.
   */
  #packs(all: readonly NamedSql[]): {
    readonly conditions: readonly NamedSql[];
    readonly integers: readonly NamedSql[];
  }[] {
    const rareOf = ({ sql }: NamedSql) => {
      const [name = "", ...others] = namesIn(sql);
      return others.length === 0 && this.#rare.has(name) ? name : "";
    };
    return ["", ...this.#rare].map((rare) => {
      const conditions = all.filter((one) => rareOf(one) === rare);
      const integers = packed(conditions.map(({ sql }) => sql)).map(
        (sql, i) => ({
          name: `w${rare}_${i}`,
          sql:
            rare === "" ? sql : `CASE WHEN ${rare} = '' THEN 0 ELSE ${sql} END`,
        }),
      );
      return { conditions, integers };
    });
  }

  /**
   * The conditions that are computed for each row, and the conditions that are computed
   * for each text of a column.
   */
  #conditions(): {
    readonly ofRow: readonly NamedSql[];
    readonly lookUps: readonly TextLookUp[];
  } {
    const ofRow: NamedSql[] = [];
    const ofText = new Map<string, NamedSql[]>();
    const shared = new Set(SHARED.map(columnName));
    for (const [sql, name] of this.#last) {
      const columns = [...this.#namesOf([sql])].filter((one) =>
        this.#base.has(one),
      );
      const [column = ""] = columns;
      // A row with a null text is not joined, so a condition that tests for null is
      // computed for each row.
      const isOfText =
        columns.length === 1 && shared.has(column) && !sql.includes("NULL");
      if (!isOfText) ofRow.push({ name, sql });
      else ofText.set(column, [...(ofText.get(column) ?? []), { name, sql }]);
    }
    const lookUps: TextLookUp[] = [];
    for (const [column, conditions] of ofText)
      if (this.#isFast(conditions)) ofRow.push(...conditions);
      else lookUps.push(new TextLookUp(this.dialect, column, conditions));
    return { ofRow, lookUps };
  }

  /**
   * Whether computing the conditions for each row takes less time than looking up the
   * row's text.
   */
  #isFast(conditions: readonly NamedSql[]): boolean {
    return (
      conditions.length <= FEW_CONDITIONS &&
      conditions.every(({ sql }) => this.#namesOf([sql]).size === 1)
    );
  }

  /** The rows with named columns, and with the results of the conditions of their texts. */
  #looked(
    lookUps: readonly TextLookUp[],
    table: string,
    where: string,
  ): string {
    const rows = `SELECT ${this.named} FROM ${table} WHERE ${where}`;
    const names = [...this.#base.keys()];
    // Each select has one join, because old servers of ClickHouse know no more.
    return lookUps.reduce((inner, lookUp) => {
      const sql = this.#base.get(lookUp.column) ?? "NULL";
      const texts = `SELECT ${sql} AS ${lookUp.column}, count(*) AS events FROM ${table} WHERE ${where} GROUP BY ${sql}`;
      const join = lookUp.join(this.#deriving(lookUp.conditions, texts));
      const selected = [...names, ...lookUp.integers.map(asNamed)];
      names.push(...lookUp.integers.map(({ name }) => name));
      return `SELECT ${selected.join(", ")} FROM (${inner}) AS t ${join}`;
    }, rows);
  }

  /** Rows with the names of the texts that conditions use. */
  #deriving(conditions: readonly NamedSql[], rows: string): string {
    const used = this.#namesOf(conditions.map(({ sql }) => sql));
    return this.#derived.reduce(
      (inner, names) =>
        selecting(
          inner,
          valuesOf(names).filter(({ name }) => used.has(name)),
        ),
      rows,
    );
  }

  /** The names that expressions use, directly or through other names. */
  #namesOf(expressions: readonly string[]): ReadonlySet<string> {
    const found = new Set<string>();
    const find = (sql: string) => {
      for (const name of namesIn(sql)) {
        if (found.has(name)) continue;
        found.add(name);
        const made = this.#made.get(name);
        if (made !== undefined) find(made);
      }
    };
    for (const sql of expressions) find(sql);
    return found;
  }
}

const columnName = (member: string) => `c_${member.toLowerCase()}`;

const asNamed = ({ name, sql }: NamedSql) => `${sql} AS ${name}`;

const valuesOf = (names: ReadonlyMap<string, string> = new Map()): NamedSql[] =>
  [...names].map(([sql, name]) => ({ name, sql }));

const selecting = (rows: string, values: readonly NamedSql[]) =>
  values.length === 0
    ? rows
    : `SELECT *, ${values.map(asNamed).join(", ")} FROM (${rows}) AS t`;

/**
 * The names of columns, texts and conditions in an expression. It may also hold words
 * that only look like such names.
 */
const namesIn = (sql: string): ReadonlySet<string> =>
  new Set(sql.match(/\b(?:c_[a-z]+|d\d+_\d+|a_\d+)\b/g));
