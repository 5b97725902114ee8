import {
  compileCore,
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
import { type Dialect, DIALECTS } from "./dialects";
import type { EventColumns } from "./event-columns";
import type { EventTable, QueryRows, SqlCell } from "./event-table";
import { leafSql } from "./leaf-sql";

/** The columns that rules read, and a text that stands for one whose value is not needed. */
const COLUMNS = {
  ip_address: "192.0.2.1",
  user_agent: "x",
  origin: "x",
  sdk_platform: "x",
  sdk_version: "x",
  package_name: "x",
} as const satisfies Partial<Record<keyof EventColumns, string>>;
type ColumnName = keyof typeof COLUMNS;

/** The columns whose texts many events share. */
const SHARED: ReadonlySet<ColumnName> = new Set([
  "user_agent",
  "origin",
  "sdk_version",
  "package_name",
]);

/** Up to this many conditions of a shared column are computed for each row, and more for each text. */
const FEW_CONDITIONS = 3;

/** Most characters of the conditions that are computed for each row. Longer ones, such as those of bots, are computed for each text. */
const SHORT_SQL = 1_000;

/** The columns with what fields read. */
const READ = {
  ip: "ip_address",
  isAiBot: "user_agent",
  isCrawlerBot: "user_agent",
  sdkPlatform: "sdk_platform",
  sdkVersion: "sdk_version",
  appPackageName: "package_name",
  userAgent: "user_agent",
} as const satisfies Record<string, ColumnName>;

/** The column with what an expression reads; undefined if no event has it. */
function columnOf({ field, header }: Part): ColumnName | undefined {
  if (field.from !== "headers") return READ[field.from];
  if (header === "Origin") return "origin";
  return header === "User-Agent" ? "user_agent" : undefined;
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

/** Most different texts of a column that the evaluator decides before the rows are grouped. */
const MOST_TEXTS = 100_000;
/** Most characters of them. */
const MOST_CHARACTERS = 50_000_000;
/** What a query may need for them, as a part of its length. */
const PART_OF_QUERY = 4;

/** The keys that a column gives to a group of rows. */
interface ColumnKeys {
  readonly column: ColumnName;
  /** For each bit: the leaves that it answers. */
  readonly leaves: readonly (readonly Core[])[];
  /** Integers, by their names; the conditions of the column are their bits. */
  readonly integers: readonly Named[];
  /** Leaves that no SQL says, and that the evaluator can decide for each text of the column. */
  readonly unsaid: readonly Core[];
  /** What the evaluator has decided about them. */
  readonly decided?: DecidedTexts;
  /** A text that is the value of the column where the evaluator decides by it, else empty. */
  readonly value?: Named;
  /** Whether the keys are computed once for each text of the column. */
  readonly isLookedUp: boolean;
}

type Answers = ReadonlyMap<Core, boolean>;

/** The texts of a column in classes with the same answers to leaves. */
interface DecidedTexts {
  /** The answers of each class; the first class has most texts. */
  readonly classes: readonly Answers[];
  /** The texts of the other classes; `BY_TEXT` is the class of those for which a leaf fails. */
  readonly texts: readonly (readonly [text: string, inClass: bigint])[];
}

const BY_TEXT = -1n;

interface Named {
  readonly name: string;
  readonly sql: string;
}

/**
 * Keys by which the rows of a table are grouped so that expressions have the same
 * result for all rows of a group. A leaf condition of one column is a bit, which the
 * engine computes. Where SQL cannot say a condition exactly, the evaluator decides it for
 * each text of the column (`decideTexts`), or the column is a key itself. Everything else (structure, missing values, failures) is left to the
 * evaluator, which decides once for each group.
 */
export class RowKeys {
  readonly #dialect: Dialect;
  readonly #leaves = new Map<ColumnName, Set<Core>>();
  readonly #keys: ColumnKeys[];

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
    const found = this.#leaves;
    const byValue = new Set<ColumnName>();
    const ofColumn = (column: ColumnName) => {
      const leaves = found.get(column) ?? new Set<Core>();
      found.set(column, leaves);
      return leaves;
    };
    for (const leaf of new Set(cores.flatMap(leavesOf))) {
      const columns = new Set(
        partsOf(leaf).flatMap((part) => columnOf(part) ?? []),
      );
      for (const column of columns) {
        ofColumn(column).add(leaf);
        if (columns.size > 1) byValue.add(column);
      }
    }
    for (const column of parts.map(columnOf)) if (column) ofColumn(column);
    this.#keys = [...found]
      .filter(([column]) => table.columns[column] !== undefined)
      .map(([column, leaves]) =>
        keysOf(column, leaves, { isByValue: byValue.has(column) }, dialect),
      );
  }

  /** The names of the keys: integers, and texts that are never null. */
  get names(): readonly string[] {
    return this.#keys.flatMap(({ column, integers, decided, value }) => [
      ...integers.map(({ name }) => name),
      ...(decided ? [classOf(column)] : []),
      ...(value ? [value.name] : []),
    ]);
  }

  /**
   * Lets the evaluator decide what no SQL says, once for each text of a column among the
   * rows that meet a condition. A column of more than 100,000 texts stays a key.
   */
  async decideTexts(query: QueryRows, where: string): Promise<void> {
    for (const [i, keys] of this.#keys.entries()) {
      if (keys.unsaid.length === 0) continue;
      const texts = await this.#textsOf(keys.column, query, where);
      const decided = texts && this.#decided(keys, texts);
      if (decided)
        this.#keys[i] = keysOf(
          keys.column,
          this.#leaves.get(keys.column) ?? [],
          { isByValue: false, decided },
          this.#dialect,
        );
    }
  }

  /** The different texts of a column; undefined if they are too many. */
  async #textsOf(
    column: ColumnName,
    query: QueryRows,
    where: string,
  ): Promise<readonly string[] | undefined> {
    const { table, columns } = this.table;
    const texts: string[] = [];
    let characters = 0;
    for await (const rows of query(
      `SELECT v FROM (SELECT ${columns[column]} AS v FROM ${table} WHERE ${where}) AS t WHERE v <> '' GROUP BY v LIMIT ${MOST_TEXTS + 1}`,
    ))
      for (const [text] of rows) {
        characters += String(text).length;
        if (characters <= MOST_CHARACTERS) texts.push(String(text));
      }
    const isTooMuch = texts.length > MOST_TEXTS || characters > MOST_CHARACTERS;
    return isTooMuch ? undefined : texts;
  }

  /** Undefined if the texts that are not in the first class fit into no query. */
  #decided(
    { column, unsaid }: ColumnKeys,
    texts: readonly string[],
  ): DecidedTexts | undefined {
    const leaves = unsaid.map((leaf) => ({ leaf, run: compileCore(leaf) }));
    const found = new Map<string, { answers: Answers; texts: string[] }>();
    for (const text of texts) {
      const request = this.#requestOf({ [column]: text });
      const results = leaves.map(({ run }) => run.evaluatePartly(request));
      const id = results.some((result) => "error" in result)
        ? "fails"
        : JSON.stringify(results);
      const answers = new Map(
        leaves.flatMap(({ leaf }, i) => {
          const result = results[i];
          return result && "value" in result ? [[leaf, result.value]] : [];
        }),
      );
      const same = found.get(id) ?? { answers, texts: [] };
      found.set(id, same);
      same.texts.push(text);
    }
    const failing = found.get("fails")?.texts ?? [];
    found.delete("fails");
    const classes = [...found.values()].sort(
      (a, b) => b.texts.length - a.texts.length,
    );
    const others = [
      ...failing.map((text) => [text, BY_TEXT] as const),
      ...classes.flatMap(({ texts }, i) =>
        i === 0 ? [] : texts.map((text) => [text, BigInt(i)] as const),
      ),
    ];
    const length = others.reduce((sum, [text]) => sum + text.length + 40, 0);
    if (length > this.#dialect.mostCharacters / PART_OF_QUERY) return undefined;
    return { classes: classes.map(({ answers }) => answers), texts: others };
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
    for (const { column, integers, isLookedUp } of this.#keys) {
      if (!isLookedUp) continue;
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
    for (const { column, decided } of this.#keys) {
      if (!decided) continue;
      const { asInteger, leftJoin, rowsOf } = this.#dialect;
      const name = classOf(column);
      rows =
        decided.texts.length === 0
          ? `SELECT *, ${asInteger("0")} AS ${name} FROM (${rows}) AS t`
          : `SELECT ${names.join(", ")}, coalesce(l_${name}, 0) AS ${name} FROM (${rows}) AS t ${leftJoin} (${rowsOf(["l_text", `l_${name}`], decided.texts)}) AS l ON ${nameOf(column)} = l_text`;
      names.push(name);
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
    for (const { column, leaves, integers, decided, value } of this.#keys) {
      const numbers = integers.map(() => BigInt(String(cells[at++] ?? 0)));
      const inClass = decided ? BigInt(String(cells[at++] ?? 0)) : 0n;
      const text = value ? String(cells[at++] ?? "") : "";
      const [first = MISSING] = numbers;
      const isByAnswers = (first & 3n) === BY_ANSWERS;
      switch (isByAnswers && inClass === BY_TEXT ? BY_VALUE : first & 3n) {
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
          for (const [leaf, holds] of decided?.classes[Number(inClass)] ?? [])
            answers.set(leaf, holds);
      }
    }
    return { ...this.#requestOf(values), answers };
  }

  #requestOf(values: Partial<Record<ColumnName, string>>): PartialRuleRequest {
    const { sdk_platform: platform, sdk_version: version } = values;
    const event = { ...values, sdk: { platform, version } } as Parameters<
      typeof eventAsRuleRequest
    >[0];
    return { ...eventAsRuleRequest(event), notSent: this.notSent };
  }
}

const nameOf = (column: ColumnName) => `c_${column}`;
const classOf = (column: ColumnName) => `d_${column}`;
const asNamed = ({ name, sql }: Named) => `${sql} AS ${name}`;

/** The integer of a bit, and its place; the first integer begins with two bits of its own. */
const placeOf = (bit: number) => ({
  integer: Math.floor((bit + 2) / BITS),
  place: BigInt((bit + 2) % BITS),
});

function keysOf(
  column: ColumnName,
  leaves: Iterable<Core>,
  {
    isByValue,
    decided,
  }: { readonly isByValue: boolean; readonly decided?: DecidedTexts },
  dialect: Dialect,
): ColumnKeys {
  const text = nameOf(column);
  const key = (n: number) => `k${n}_${column}`;
  const valueIf = (condition: string) => ({
    name: `v_${column}`,
    sql: `CASE WHEN ${condition} THEN ${text} ELSE '' END`,
  });
  const conditions = new Map<string, Core[]>();
  const unless = new Set<string>();
  const unsaid: Core[] = [];
  for (const leaf of isByValue ? [] : leaves) {
    const written = leafSql(leaf, text, dialect);
    if (!written) {
      unsaid.push(leaf);
      continue;
    }
    for (const condition of written.unless) unless.add(condition);
    conditions.set(written.sql, [...(conditions.get(written.sql) ?? []), leaf]);
  }
  if (isByValue || (unsaid.length > 0 && !decided))
    return {
      column,
      leaves: [],
      integers: [
        { name: key(0), sql: `CASE WHEN ${text} IS NULL THEN 0 ELSE 2 END` },
      ],
      unsaid,
      value: valueIf(`${key(0)} = ${BY_VALUE}`),
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
  const valueWhen = [
    ...(byValue === "" ? [] : [`${key(0)} = ${BY_VALUE}`]),
    ...(decided?.texts.some(([, inClass]) => inClass === BY_TEXT)
      ? [`${classOf(column)} = ${BY_TEXT}`]
      : []),
  ];
  return {
    column,
    leaves: [...conditions.values()],
    integers: sums.map((sum, n) => ({
      name: key(n),
      sql: `CASE ${n === 0 ? whens : whens.replaceAll(/THEN \d/g, "THEN 0")} ELSE ${sum.join(" + ")} END`,
    })),
    unsaid: [],
    ...(decided && { decided }),
    ...(valueWhen.length > 0 && { value: valueIf(valueWhen.join(" OR ")) }),
    isLookedUp:
      SHARED.has(column) &&
      (conditions.size > FEW_CONDITIONS ||
        [...conditions.keys()].join("").length > SHORT_SQL),
  };
}
