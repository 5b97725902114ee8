import type { CheckedExpression } from "@devid/rules/language";
import { coreOf } from "@devid/rules/internals";
import { networksOf } from "./address-key";
import type { RowReading } from "./case-writer";
import { ConditionWriter } from "./condition-writer";
import { DIALECTS } from "./dialects";
import type { EventColumns } from "./event-columns";
import type { EventTable } from "./event-table";
import { type RowGroups, RowLayers } from "./row-layers";
import {
  allOf,
  anyOf,
  isNot,
  type SqlCondition,
} from "./conditions/sql-condition";

/** The conditions of a row for each result of an expression. */
export interface JudgedExpression {
  readonly expression: CheckedExpression;
  /** The rows that match, or may match. */
  readonly mayMatch: SqlCondition;
  /** The rows that match, whatever values the unknown data has. */
  readonly matches: SqlCondition;
  /** The rows that match or not, depending on unknown data. */
  readonly isOpen: SqlCondition;
  /** The rows in which it fails for certain. */
  readonly fails: SqlCondition;
  /** The parts that may be unknown, and the rows in which an answer depends on each. */
  readonly unknown: readonly (readonly [part: string, when: SqlCondition])[];
}

/** The name of the column with the number of a row, if the table has numbers. */
export const ROW_NUMBER = "c_number";

/** The rows of a table of events, with names for the results of expressions. */
export class JudgedRows {
  /** The results of each expression, in the order in which the expressions were given. */
  readonly expressions: readonly JudgedExpression[];
  /** How rows are read, with the names that the columns have here. */
  readonly reading: RowReading;
  /** The name of the column with the label, if the table has one. */
  readonly label: string | undefined;
  readonly #layers: RowLayers;

  /**
   * @param asked expressions, each with the name of its rule
   * @throws NotInDialectError
   */
  constructor(
    private readonly table: EventTable,
    asked: ReadonlyMap<CheckedExpression, string>,
    notSent: ReadonlySet<string>,
  ) {
    const dialect = DIALECTS[table.dialect];
    const layers = new RowLayers(dialect);
    this.#layers = layers;
    this.reading = {
      dialect,
      columns: layers.columns(table.columns),
      notSent,
      networks: [...asked.keys()].flatMap((one) => networksOf(coreOf(one))),
      derive: (sql, of, isRare) => layers.derive(sql, of, isRare),
      name: (condition) => layers.condition(condition),
    };
    if (table.label !== undefined)
      this.label = layers.column("c_label", table.label);
    if (table.numbers) layers.column(ROW_NUMBER, table.numbers.sql);
    const writer = new ConditionWriter(this.reading);
    this.expressions = [...asked].map(([expression, rule]) =>
      judge(writer, expression, rule),
    );
  }

  /** The columns of a row, by the names that they have here. */
  get columns(): EventColumns {
    return this.reading.columns;
  }

  /** A select's list of the columns of a row. */
  get named(): string {
    return this.#layers.named;
  }

  /** The rows that meet a condition of the table, with the names of columns and conditions. */
  rows(where: string): string {
    return this.#layers.rows(this.table.table, where);
  }

  /**
   * The rows that meet a condition of the table, grouped by the results of all
   * conditions, which many rows share.
   * @param keys expressions of a row, by their names
   * @param figures aggregates of a group, by their names
   */
  groups(
    where: string,
    keys: Readonly<Record<string, string>>,
    figures: Readonly<Record<string, string>>,
  ): RowGroups {
    const named = (values: Readonly<Record<string, string>>) =>
      Object.entries(values).map(([name, sql]) => ({ name, sql }));
    const { table } = this.table;
    return this.#layers.groups(table, where, named(keys), named(figures));
  }
}

function judge(
  writer: ConditionWriter,
  expression: CheckedExpression,
  rule: string,
): JudgedExpression {
  const { canBeTrue, canBeFalse, canFail, unknown } = writer.write(
    coreOf(expression),
    expression.source,
    rule,
  );
  const canBeOtherwise = anyOf(canBeFalse, canFail);
  return {
    expression,
    mayMatch: canBeTrue,
    matches: allOf(canBeTrue, isNot(canBeOtherwise)),
    isOpen: allOf(canBeTrue, canBeOtherwise),
    fails: allOf(isNot(canBeTrue), isNot(canBeFalse)),
    unknown: [...unknown].filter(([, when]) => when !== false),
  };
}
