import {
  coreOf,
  type Core,
  hasNestedLoop,
  isLogic,
  type Part,
  partsOf,
} from "@devid/rules/internals";
import {
  type CheckedExpression,
  eventAsRuleRequest,
  type PartialRuleRequest,
} from "@devid/rules/language";
import { DIALECTS } from "./dialects";
import type { Dialect } from "./dialects/dialect";
import type { EventColumns } from "./event-columns";
import type { EventTable, SqlCell } from "./event-table";
import { leafSql } from "./leaf-sql";

/** The columns that rules read, and a text that stands for one whose value is not needed. */
const COLUMNS = {
  ipAddress: "192.0.2.1",
  userAgent: "x",
  origin: "x",
  sdkPlatform: "x",
  sdkVersion: "x",
  appPackageName: "x",
} as const satisfies Partial<Record<keyof EventColumns, string>>;
type ColumnName = keyof typeof COLUMNS;

/** The columns whose texts many events share. */
const SHARED: ReadonlySet<ColumnName> = new Set([
  "userAgent",
  "origin",
  "sdkVersion",
  "appPackageName",
]);

/** Up to this many conditions of a shared column are computed for each row, and more for each text. */
const FEW_CONDITIONS = 3;

/** Characters of the conditions of a column; longer ones, as those of bots, are computed for each text. */
const SHORT_SQL = 1_000;

/** The column with what an expression reads; undefined if no event has it. */
function columnOf({ field, header }: Part): ColumnName | undefined {
  switch (field.from) {
    case "headers":
      if (header === "Origin") return "origin";
      return header === "User-Agent" ? "userAgent" : undefined;
    case "ip":
      return "ipAddress";
    case "isAiBot":
    case "isCrawlerBot":
      return "userAgent";
    default:
      return field.from;
  }
}

/** The parts of an expression that partial evaluation decides as a whole. */
function leavesOf(core: Core): Core[] {
  if (hasNestedLoop(core)) return [core];
  const leaves: Core[] = [];
  const open = [core];
  for (let node = open.pop(); node; node = open.pop())
    if (!isLogic(node)) leaves.push(node);
    else if (node.kind === "logical") open.push(...node.operands);
    else if (node.kind === "not") open.push(node.operand);
    else open.push(node.condition, node.consequent, node.alternate);
  return leaves;
}

/** How many conditions one integer holds. Every client reads integers below 2^53 exactly. */
const BITS = 50;

/** What the first integer of a column says: its two lowest bits. */
const MISSING = 0n;
const EMPTY = 1n;
const BY_VALUE = 2n;
const BY_ANSWERS = 3n;

/** The keys that a column gives to a group of rows. */
interface ColumnKeys {
  readonly column: ColumnName;
  /** For each bit: the leaves that it answers. */
  readonly leaves: readonly (readonly Core[])[];
  /** Integers, by their names; the conditions of the column are their bits. */
  readonly integers: readonly Named[];
  /** A text that is the value of the column where the evaluator decides by it, else empty. */
  readonly value?: Named;
  /** Whether the keys are computed once for each text of the column. */
  readonly isLookedUp: boolean;
}

interface Named {
  readonly name: string;
  readonly sql: string;
}

/**
 * Keys by which the rows of a table are grouped so that expressions have the same
 * result for all rows of a group. A leaf condition of one column is a bit, which the
 * engine computes. A column is a key itself if SQL cannot say one of its conditions
 * exactly. Everything else (structure, missing values, failures) is left to the
 * evaluator, which decides once for each group.
 */
export class RowKeys {
  readonly #dialect: Dialect;
  readonly #keys: readonly ColumnKeys[];

  /** @param parts what is asked about rows besides the expressions */
  constructor(
    private readonly table: EventTable,
    expressions: Iterable<CheckedExpression>,
    private readonly notSent: ReadonlySet<string>,
    parts: readonly Part[] = [],
  ) {
    const dialect = DIALECTS[table.dialect];
    this.#dialect = dialect;
    const cores = [...expressions].map(coreOf);
    const found = new Map<ColumnName, Set<Core>>();
    const byValue = new Set<ColumnName>();
    const ofColumn = (column: ColumnName) => {
      const leaves = found.get(column) ?? new Set<Core>();
      found.set(column, leaves);
      return leaves;
    };
    for (const leaf of new Set(cores.flatMap(leavesOf))) {
      const columns = new Set(partsOf(leaf).map(columnOf));
      columns.delete(undefined);
      for (const column of columns) if (column) ofColumn(column).add(leaf);
      if (columns.size > 1)
        for (const column of columns) if (column) byValue.add(column);
    }
    for (const column of parts.map(columnOf)) if (column) ofColumn(column);
    this.#keys = [...found]
      .filter(([column]) => table.columns[column] !== undefined)
      .map(([column, leaves]) =>
        keysOf(column, leaves, byValue.has(column), dialect),
      );
  }

  /** The names of the keys: integers, and texts that are never null. */
  get names(): readonly string[] {
    return this.#named.map(({ name }) => name);
  }

  get #named(): readonly Named[] {
    return this.#keys.flatMap(({ integers, value }) =>
      value ? [...integers, value] : integers,
    );
  }

  /**
   * A select of the rows that meet a condition of the table, with their keys.
   * @param others further expressions of a row, by their names
   */
  rows(where: string, others: Readonly<Record<string, string>>): string {
    const { table, columns } = this.table;
    const base: readonly Named[] = [
      ...this.#keys.map(({ column }) => ({
        name: nameOf(column),
        sql: columns[column] ?? "NULL",
      })),
      ...Object.entries(others).map(([name, sql]) => ({ name, sql })),
    ];
    const names = base.map(({ name }) => name);
    let rows = `SELECT ${base.map(asNamed).join(", ") || "1 AS nothing"} FROM ${table} WHERE ${where}`;
    for (const { column, integers } of this.#keys.filter(
      ({ isLookedUp }) => isLookedUp,
    )) {
      const text = nameOf(column);
      const sql = columns[column] ?? "NULL";
      // An engine may compute a condition for each row if it does not depend on the grouping.
      const once = ({ name, sql }: Named) =>
        `CASE WHEN events > 0 THEN ${sql} ELSE 0 END AS l_${name}`;
      const found = integers.map(once);
      const texts = `SELECT ${text} AS l_text, ${found.join(", ")} FROM (SELECT ${sql} AS ${text}, count(*) AS events FROM ${table} WHERE ${where} GROUP BY ${sql}) AS t`;
      const read = integers.map(
        ({ name }) => `coalesce(l_${name}, 0) AS ${name}`,
      );
      rows = `SELECT ${[...names, ...read].join(", ")} FROM (${rows}) AS t ${this.#dialect.leftJoin} (${texts}) AS l ON ${text} = l_text`;
      names.push(...integers.map(({ name }) => name));
    }
    const { opaque = (integer: string) => integer } = this.#dialect;
    const ofRow = this.#keys
      .filter(({ isLookedUp }) => !isLookedUp)
      .flatMap(({ integers }) => integers)
      .map(({ name, sql }) => ({ name, sql: opaque(sql) }));
    const values = this.#keys.flatMap(({ value }) => value ?? []);
    for (const more of [ofRow, values])
      if (more.length > 0)
        rows = `SELECT *, ${more.map(asNamed).join(", ")} FROM (${rows}) AS t`;
    return rows;
  }

  /** The request of the rows with the given keys, in the order of `names`. */
  request(cells: readonly (SqlCell | undefined)[]): PartialRuleRequest {
    const values: Partial<Record<ColumnName, string>> = {};
    const answers = new Map<object, boolean>();
    let at = 0;
    for (const { column, leaves, integers, value } of this.#keys) {
      const numbers = integers.map(() => BigInt(String(cells[at++] ?? 0)));
      const text = value ? String(cells[at++] ?? "") : "";
      const [first = MISSING] = numbers;
      switch (first & 3n) {
        case EMPTY:
          values[column] = "";
          break;
        case BY_VALUE:
          values[column] = text;
          break;
        case BY_ANSWERS:
          values[column] = COLUMNS[column];
          leaves.forEach((same, bit) => {
            const { integer, place } = placeOf(bit);
            const holds = (((numbers[integer] ?? 0n) >> place) & 1n) === 1n;
            for (const leaf of same) answers.set(leaf, holds);
          });
      }
    }
    const event = {
      ip_address: values.ipAddress,
      user_agent: values.userAgent,
      origin: values.origin,
      sdk: { platform: values.sdkPlatform, version: values.sdkVersion },
      package_name: values.appPackageName,
    } as Parameters<typeof eventAsRuleRequest>[0];
    return { ...eventAsRuleRequest(event), notSent: this.notSent, answers };
  }
}

const nameOf = (column: ColumnName) => `c_${column.toLowerCase()}`;
const asNamed = ({ name, sql }: Named) => `${sql} AS ${name}`;

/** The integer of a bit, and its place; the first integer begins with two bits of its own. */
const placeOf = (bit: number) => ({
  integer: Math.floor((bit + 2) / BITS),
  place: BigInt((bit + 2) % BITS),
});

function keysOf(
  column: ColumnName,
  leaves: ReadonlySet<Core>,
  isByValue: boolean,
  dialect: Dialect,
): ColumnKeys {
  const text = nameOf(column);
  const key = (n: number) => `k${n}_${column.toLowerCase()}`;
  const value = {
    name: `v_${column.toLowerCase()}`,
    sql: `CASE WHEN ${key(0)} = ${BY_VALUE} THEN ${text} ELSE '' END`,
  };
  const conditions = new Map<string, Core[]>();
  const unless = new Set<string>();
  let isSaid = !isByValue;
  for (const leaf of isSaid ? leaves : []) {
    const written = leafSql(leaf, text, dialect);
    if (!written) {
      isSaid = false;
      break;
    }
    for (const condition of written.unless) unless.add(condition);
    conditions.set(written.sql, [...(conditions.get(written.sql) ?? []), leaf]);
  }
  if (!isSaid)
    return {
      column,
      leaves: [],
      integers: [
        { name: key(0), sql: `CASE WHEN ${text} IS NULL THEN 0 ELSE 2 END` },
      ],
      value,
      isLookedUp: false,
    };
  const sums: string[][] = [["3"]];
  [...conditions.keys()].forEach((sql, bit) => {
    const { integer, place } = placeOf(bit);
    (sums[integer] ??= []).push(
      `CASE WHEN ${sql} THEN ${2n ** place} ELSE 0 END`,
    );
  });
  const byValue = [...unless].join(" OR ");
  const whens = [
    `WHEN ${text} IS NULL THEN 0 WHEN ${text} = '' THEN 1`,
    ...(byValue === "" ? [] : [`WHEN ${byValue} THEN 2`]),
  ].join(" ");
  return {
    column,
    leaves: [...conditions.values()],
    integers: sums.map((sum, n) => ({
      name: key(n),
      sql: `CASE ${n === 0 ? whens : whens.replaceAll(/THEN \d/g, "THEN 0")} ELSE ${sum.join(" + ")} END`,
    })),
    ...(byValue !== "" && { value }),
    isLookedUp:
      SHARED.has(column) &&
      (conditions.size > FEW_CONDITIONS ||
        [...conditions.keys()].join("").length > SHORT_SQL),
  };
}
