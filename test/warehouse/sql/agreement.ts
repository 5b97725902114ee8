import {
  checkExpression,
  compileExpression,
  type CheckedExpression,
} from "@devid/rules/language";
import {
  conditionSql,
  eventColumns,
  NotInDialectError,
  quotedName,
  quotedText,
  type DialectName,
  type QueryRows,
} from "@devid/warehouse/sql";
import {
  COLUMN_NAMES,
  requestOf,
  type EventValues,
} from "./random-event-values";

/** The answers of the evaluator and an engine about each expression and event. */
export interface Agreement {
  /** Pairs of an expression and an event that both evaluated. */
  readonly pairs: number;
  readonly answers: Readonly<Record<"yes" | "no" | "cannot tell", number>>;
  /** Expressions that the dialect cannot express, with the reason. */
  readonly refused: readonly { expression: string; reason: string }[];
  readonly differences: readonly object[];
}

/** An engine under test. */
export interface AskedEngine {
  readonly query: QueryRows;
  /** Runs a statement without a result. */
  readonly run: (sql: string) => Promise<void>;
}

/** Expressions in one query. */
const EXPRESSIONS_OF_A_QUERY = 40;

/**
 * Evaluates expressions about events in an engine, and compares the answers with
 * partial evaluation: whether the event matches, and on which unknown parts the answer
 * depends.
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
  const nameOf = (name: string) =>
    (COLUMN_NAMES as readonly string[]).includes(name)
      ? quotedName(dialect, name)
      : undefined;
  const { isAiBot = "", isCrawlerBot = "" } = eventColumns(dialect, nameOf);
  await run(createTable(dialect));
  for (let at = 0; at < events.length; at += 500)
    await run(insertInto(dialect, events.slice(at, at + 500), at));
  // The table has the bot flags like a warehouse, because finding them takes longer
  // than all else.
  await run(
    `CREATE TABLE judged ${dialect === "clickhouse" ? "ENGINE = Memory " : ""}AS SELECT *, ${isAiBot} AS is_ai_bot, ${isCrawlerBot} AS is_crawler_bot FROM recorded`,
  );
  const requests = events.map((event) => requestOf(event, notSent));
  const checked = expressions.flatMap((source) => {
    const result = checkExpression(source);
    return result.ok ? [result.expression] : [];
  });
  const columns = eventColumns(
    dialect,
    (name) => nameOf(name) ?? (name.startsWith("is_") ? name : undefined),
  );
  const answers = { yes: 0, no: 0, "cannot tell": 0 };
  const differences: object[] = [];
  const refused: { expression: string; reason: string }[] = [];
  const written = checked.flatMap((expression) => {
    try {
      return [{ expression, sql: sqlOf(expression) }];
    } catch (error) {
      if (!(error instanceof NotInDialectError)) throw error;
      refused.push({ expression: expression.source, reason: error.reason });
      return [];
    }
  });
  for (let at = 0; at < written.length; at += EXPRESSIONS_OF_A_QUERY) {
    const part = written.slice(at, at + EXPRESSIONS_OF_A_QUERY);
    const rows = await rowsOf(
      query(
        `SELECT n, ${part.map(({ sql }) => sql.answer).join(", ")} FROM judged ORDER BY n`,
      ),
    );
    part.forEach(({ expression, sql }, i) => {
      const compiled = compileExpression(expression);
      requests.forEach((request, n) => {
        const found = compiled.evaluatePartly(request);
        const theirs = String(rows[n]?.[i + 1]);
        const ours =
          "unknown" in found
            ? `? ${[...found.unknown].sort().join(" ")}`
            : "value" in found && found.value
              ? "yes"
              : "no";
        const said = theirs.startsWith("?")
          ? `? ${sql.parts.filter((_, p) => theirs[p + 1] === "1").join(" ")}`
          : theirs;
        answers[ours === "yes" || ours === "no" ? ours : "cannot tell"]++;
        if (ours !== said)
          differences.push({
            expression: expression.source,
            event: events[n],
            ours,
            said,
          });
      });
    });
  }
  await run("DROP TABLE judged");
  await run("DROP TABLE recorded");
  return {
    pairs: written.length * events.length,
    answers,
    refused,
    differences,
  };

  /**
   * The text of a row: `yes`, `no`, or `?` and a digit for each part that may be
   * unknown.
   */
  function sqlOf(expression: CheckedExpression) {
    const { canBeTrue, canBeOtherwise, unknown } = conditionSql(expression, {
      rule: "r",
      dialect,
      columns,
      assumeNotSent: notSent,
    });
    const parts = [...unknown].sort((a, b) => (a.part < b.part ? -1 : 1));
    const digits = parts.map(
      ({ when }) => `CASE WHEN ${when} THEN '1' ELSE '0' END`,
    );
    return {
      parts: parts.map(({ part }) => part),
      answer: `CASE WHEN NOT ${canBeTrue} THEN 'no' WHEN ${canBeOtherwise} THEN concat('?', ${[...digits, "''"].join(", ")}) WHEN ${canBeTrue} THEN 'yes' ELSE 'null' END`,
    };
  }
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
