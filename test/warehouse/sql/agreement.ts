import { checkExpression, compileExpression } from "@devid/rules/language";
import {
  eventColumns,
  quotedName,
  quotedText,
  RowKeys,
  type DialectName,
  type EventTable,
  type QueryRows,
} from "@devid/warehouse/sql";
import {
  COLUMN_NAMES,
  requestOf,
  type EventValues,
} from "./random-event-values";

/** The results of the evaluator for events, and for the keys that an engine computes of them. */
export interface Agreement {
  /** Pairs of an expression and an event. */
  readonly pairs: number;
  readonly answers: Readonly<Record<"yes" | "no" | "cannot tell", number>>;
  /** Pairs in which the engine has answered a leaf condition. */
  readonly bySql: number;
  readonly differences: readonly object[];
}

/** An engine under test. */
export interface AskedEngine {
  readonly query: QueryRows;
  /** Runs a statement without a result. */
  readonly run: (sql: string) => Promise<void>;
}

/**
 * Lets an engine compute the keys of events, and compares what an expression gives for
 * the request of the keys with partial evaluation of the event: whether it matches, and
 * on which unknown parts that depends.
 */
export async function compareWithEngine(
  dialect: DialectName,
  { query, run }: AskedEngine,
  {
    expressions,
    events,
    notSent,
  }: {
    readonly expressions: readonly string[];
    readonly events: readonly EventValues[];
    readonly notSent: ReadonlySet<string>;
  },
): Promise<Agreement> {
  await run(createTable(dialect));
  for (let at = 0; at < events.length; at += 500)
    await run(insertInto(dialect, events.slice(at, at + 500), at));
  const columns = eventColumns((name) =>
    (COLUMN_NAMES as readonly string[]).includes(name)
      ? quotedName(dialect, name)
      : undefined,
  );
  const table: EventTable = { dialect, table: "recorded", columns };
  const requests = events.map((event) => requestOf(event, notSent));
  const answers = { yes: 0, no: 0, "cannot tell": 0 };
  const differences: object[] = [];
  let [pairs, bySql] = [0, 0];
  for (const source of expressions) {
    const checked = checkExpression(source);
    if (!checked.ok) continue;
    const compiled = compileExpression(checked.expression);
    const said = (request: Parameters<typeof compiled.evaluatePartly>[0]) => {
      const found = compiled.evaluatePartly(request);
      if ("unknown" in found) return `? ${[...found.unknown].sort().join(" ")}`;
      return "value" in found && found.value ? "yes" : "no";
    };
    const keys = new RowKeys(table, [checked.expression], notSent);
    // Otherwise, a column is a key where no SQL says a condition.
    if (expressions.indexOf(source) % 2 === 0)
      await keys.decideTexts(query, "1 = 1");
    const rows = keys.rows("1 = 1", { c_n: "n" });
    const cells = keys.names.map((name) => `, ${name}`).join("");
    for (const [n, ...of] of await rowsOf(
      query(`SELECT c_n${cells} FROM (${rows}) AS t`),
    )) {
      const request = keys.request(of);
      const event = requests[Number(n)];
      if (!event) continue;
      pairs += 1;
      if (request.answers?.size) bySql += 1;
      const [ours, theirs] = [said(event), said(request)];
      answers[ours === "yes" || ours === "no" ? ours : "cannot tell"]++;
      if (ours !== theirs)
        differences.push({ source, event: events[Number(n)], ours, theirs });
    }
  }
  await run("DROP TABLE recorded");
  return { pairs, answers, bySql, differences };
}

async function rowsOf(parts: ReturnType<QueryRows>) {
  const rows = [];
  for await (const part of parts) rows.push(...part);
  return rows;
}

function createTable(dialect: DialectName): string {
  const type = {
    duckdb: "VARCHAR",
    clickhouse: "Nullable(String)",
    trino: "varchar",
  }[dialect];
  const columns = COLUMN_NAMES.map(
    (name) => `${quotedName(dialect, name)} ${type}`,
  );
  const engine = dialect === "clickhouse" ? " ENGINE = Memory" : "";
  const integer = dialect === "clickhouse" ? "Int64" : "bigint";
  return `CREATE TABLE recorded (n ${integer}, ${columns.join(", ")})${engine}`;
}

function insertInto(
  dialect: DialectName,
  events: readonly EventValues[],
  from: number,
): string {
  const rows = events.map((event, i) => {
    const cells = COLUMN_NAMES.map((name) => {
      const value = event[name];
      return value === null ? "NULL" : quotedText(dialect, value);
    });
    return `(${[from + i, ...cells].join(", ")})`;
  });
  return `INSERT INTO recorded VALUES ${rows.join(", ")}`;
}
