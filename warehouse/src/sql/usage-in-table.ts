import type { CheckedExpression } from "@devid/rules/language";
import type { PartRead, Answer } from "@devid/review/internals";
import {
  type Usage,
  UsageCounter,
  type UsageOptions,
} from "@devid/review/replay";
import { hasBit, packed } from "./conditions/bits";
import { columnOfHeader, columnThatTells } from "./case-writer";
import { type EventTable, type QueryRows, whereSql } from "./event-table";
import { JudgedRows } from "./judged-rows";
import { is, sqlOf, type SqlCondition } from "./conditions/sql-condition";

/**
 * What the rules of a set, and the terms in them, did on the events of a table. The
 * figures are those of `countUsage` for the same events. One query counts the events
 * for which all rules have the same results.
 * @throws NotInDialectError; InvalidInputError; what `query` throws
 */
export async function usageInTable(
  query: QueryRows,
  table: EventTable,
  options: UsageOptions,
): Promise<Usage> {
  const counter = new UsageCounter(options);
  const { start, end } = counter.range;
  const rows = new JudgedRows(table, counter.expressions, counter.notSent);
  const bits: string[] = [];
  const bitOf = (condition: SqlCondition) => bits.push(sqlOf(condition)) - 1;
  const ofExpression = new Map<CheckedExpression, number>();
  for (const { expression, matches, isOpen, fails } of rows.expressions) {
    ofExpression.set(expression, bitOf(matches));
    bitOf(isOpen);
    bitOf(fails);
  }
  const ofPart = new Map<string, number>();
  for (const part of counter.parts) {
    const { isReported, isFilled } = partSql(rows, part);
    ofPart.set(part.name, bitOf(isReported));
    bitOf(isFilled);
  }
  for await (const found of query(
    groupsSql(rows, bits, whereSql(table, start, end)),
  ))
    for (const row of found) {
      const [events = 0, first = 0, last = 0] = row.slice(0, 3).map(Number);
      if (events === 0) continue;
      const integers = row.slice(3).map((cell) => BigInt(String(cell)));
      const has = (bit: number | undefined, next: 0 | 1 | 2) =>
        bit !== undefined && hasBit(integers, bit + next);
      const match = (expression: CheckedExpression): Answer => {
        const bit = ofExpression.get(expression);
        if (has(bit, 1)) return "unknown";
        return has(bit, 2) ? "fails" : has(bit, 0);
      };
      counter.count(
        {
          match,
          matchAll: (expressions) => expressions.map(match),
          isFilled: ({ name }) => {
            const bit = ofPart.get(name);
            return has(bit, 0) ? has(bit, 1) : undefined;
          },
        },
        { events, first, last },
      );
    }
  return counter.usage();
}

/** Counts the events with the same bits, and finds the times of the first and the last. */
function groupsSql(
  rows: JudgedRows,
  bits: readonly string[],
  where: string,
): string {
  const { timestamp } = rows.columns;
  const groups = rows.groups(
    where,
    {},
    {
      events: "count(*)",
      first_time: `min(${timestamp})`,
      last_time: `max(${timestamp})`,
    },
  );
  const integers = packed(bits);
  const names = integers.map((_, i) => `v${i}`).join(", ");
  const list = integers.map((sql, i) => `, ${sql} AS v${i}`).join("");
  const [more, by] =
    names === "" ? ["", ""] : [`, ${names}`, ` GROUP BY ${names}`];
  const { asInteger } = rows.reading.dialect;
  return `SELECT ${asInteger("sum(events)")}, min(first_time), max(last_time)${more} FROM (SELECT events, first_time, last_time${list} FROM (${groups.readFrom(`(${groups.counted}) AS t`)}) AS t) AS t${by}`;
}

/**
 * The rows in which a part of a request is known, and the rows in which it is not
 * empty.
 */
function partSql(
  { reading }: JudgedRows,
  { field, header }: PartRead,
): { readonly isReported: SqlCondition; readonly isFilled: SqlCondition } {
  const named = (sql: string) => is(reading.name?.(sql) ?? sql);
  const column =
    field.type !== "headers"
      ? columnThatTells(reading, field.from)
      : header === undefined
        ? undefined
        : columnOfHeader(reading, header);
  const isMissing = header !== undefined && reading.notSent.has(header);
  if (column === undefined) return { isReported: isMissing, isFilled: false };
  const isThere = named(`(${column} IS NOT NULL)`);
  return {
    isReported: isMissing || isThere,
    isFilled:
      field.from === "isAiBot" || field.from === "isCrawlerBot"
        ? isThere
        : named(`(${column} IS NOT NULL AND ${column} <> '')`),
  };
}
