import { RuleExpressions } from "../diff/rule-expressions";
import type { CheckedExpression, PartialResult } from "../language";
import { coreOf } from "../core/lower";
import { isKnownRule, type Rule } from "../rule-set/rule";
import { ConditionWriter } from "./condition-writer";
import { DIALECTS } from "./dialects";
import type { Dialect } from "./dialects/dialect";
import type { EventColumns } from "./event-columns";
import type { EventTable, SqlRow } from "./event-table";
import { RowLayers } from "./row-layers";
import {
  allOf,
  anyOf,
  is,
  isNot,
  sqlOf,
  type SqlCondition,
} from "./sql-condition";

/** Bits of a column: every client reads integers below 2^53 exactly. */
const BITS_OF_COLUMN = 52;

/** One expression of the rules, as the conditions of a row. */
interface WrittenExpression {
  readonly expression: CheckedExpression;
  /** The rows that match, whatever is unknown of them. */
  readonly matches: SqlCondition;
  /** The rows that match, or do not, depending on what is unknown. */
  readonly isOpen: SqlCondition;
  /** The parts that may be unknown, and the rows in which an answer depends on each. */
  readonly unknown: readonly (readonly [part: string, when: SqlCondition])[];
}

/** What a bit of a vector says of a row. */
type Bit =
  | { readonly kind: "open" | "matches"; readonly expression: number }
  | { readonly kind: "unknown"; readonly expression: number; part: string };

/** What all rows of a group say of each expression. */
export type Answers = (expression: CheckedExpression) => PartialResult;

/**
 * What two rule sets ask, as columns by which rows can be grouped: where each set stops
 * for certain, and which of the rules above are open there, on what. Rows with the same
 * columns are decided alike, by any rule that reads them. Rules behind those that decide
 * make no difference.
 */
export class DecisionVectors {
  /** How the expressions were read: one for all its spellings. */
  readonly expressions = new RuleExpressions();
  /** The name of the column with the label, if the table has one. */
  readonly label: string | undefined;
  readonly #dialect: Dialect;
  readonly #layers = new RowLayers();
  readonly #columns: EventColumns;
  readonly #written: readonly WrittenExpression[];
  readonly #sets: readonly (readonly Rule[])[];
  readonly #places: readonly string[];
  readonly #bits: readonly Bit[];
  readonly #bitsSql: readonly string[];

  /** @throws NotInDialectError */
  constructor(
    private readonly table: EventTable,
    inForce: readonly Rule[],
    proposed: readonly Rule[],
    notSent: ReadonlySet<string>,
  ) {
    this.#dialect = DIALECTS[table.dialect];
    this.#columns = this.#named(table.columns);
    if (table.label !== undefined)
      this.label = this.#layers.column("c_label", table.label);
    this.#sets = [inForce, proposed].map((rules) =>
      rules.filter(({ status }) => status !== "disabled"),
    );
    this.#written = this.#write(notSent);
    this.#places = this.#sets.map((rules) => this.#placeSql(rules));
    const bits = this.#written.flatMap((one, expression) =>
      this.#bitsOf(one, expression),
    );
    this.#bits = bits.map(({ bit }) => bit);
    this.#bitsSql = bits.map(({ sql }) => sql);
  }

  /** The columns of a row by the names that they have in `rows`. */
  get columns(): EventColumns {
    return this.#columns;
  }

  /** The names of the columns of a vector. */
  get names(): readonly string[] {
    const integers = Math.ceil(this.#bits.length / BITS_OF_COLUMN);
    return ["p0", "p1", ...Array.from({ length: integers }, (_, i) => `v${i}`)];
  }

  /** The rows of the table that meet a condition, with their columns and their vectors. */
  rows(where: string): string {
    const { bit } = this.#dialect;
    const rows = this.#layers.from(this.table.table, where);
    const [p0, p1] = this.#places;
    const placed = `SELECT *, ${p0} AS p0, ${p1} AS p1 FROM (${rows}) AS t`;
    const integers = this.names.slice(2).map((name, i) => {
      const from = i * BITS_OF_COLUMN;
      const sums = this.#bitsSql
        .slice(from, from + BITS_OF_COLUMN)
        .map((sql, n) => `${bit(sql)} * ${2 ** n}`);
      return `${sums.join(" + ")} AS ${name}`;
    });
    return integers.length === 0
      ? placed
      : `SELECT *, ${integers.join(", ")} FROM (${placed}) AS t`;
  }

  /** Reads a vector, whose cells are those of `names`. */
  answers(vector: SqlRow): Answers {
    const places = vector.slice(0, 2).map(Number);
    const integers = vector.slice(2).map((cell) => BigInt(String(cell)));
    const matching = new Set<CheckedExpression>();
    for (const [i, rules] of this.#sets.entries()) {
      const decider = rules[places[i] ?? 0];
      const expression =
        decider && this.expressions.checked(decider.expression);
      if (expression) matching.add(expression);
    }
    const unknown = new Map<CheckedExpression, string[]>();
    for (const [n, bit] of this.#bits.entries()) {
      const integer = integers[Math.floor(n / BITS_OF_COLUMN)] ?? 0n;
      if (((integer >> BigInt(n % BITS_OF_COLUMN)) & 1n) === 0n) continue;
      const written = this.#written[bit.expression];
      if (!written) continue;
      const { expression } = written;
      if (bit.kind === "matches") matching.add(expression);
      else {
        const parts = unknown.get(expression) ?? [];
        const [only, ...others] = written.unknown;
        if (bit.kind === "unknown") parts.push(bit.part);
        else if (only && others.length === 0) parts.push(only[0]);
        unknown.set(expression, parts);
      }
    }
    return (expression) => {
      const open = unknown.get(expression);
      return open ? { unknown: open } : { value: matching.has(expression) };
    };
  }

  #named(columns: EventColumns): EventColumns {
    const named = Object.entries(columns).flatMap(([member, sql]) =>
      typeof sql === "string"
        ? [[member, this.#layers.column(`c_${member.toLowerCase()}`, sql)]]
        : [],
    );
    return Object.fromEntries(named) as typeof columns;
  }

  #write(notSent: ReadonlySet<string>): readonly WrittenExpression[] {
    const layers = this.#layers;
    const writer = new ConditionWriter({
      dialect: this.#dialect,
      columns: this.#columns,
      notSent,
      derive: (sql, of) => layers.derive(sql, of),
      name: (condition) => layers.condition(condition),
    });
    const written = new Map<CheckedExpression, WrittenExpression>();
    for (const rule of this.#sets.flat()) {
      const expression = this.expressions.checked(rule.expression);
      if (!expression || written.has(expression)) continue;
      const { canBeTrue, canBeFalse, canFail, unknown } = writer.write(
        coreOf(expression),
        expression.source,
        rule.name,
      );
      const canBeOtherwise = anyOf(canBeFalse, canFail);
      written.set(expression, {
        expression,
        matches: allOf(canBeTrue, isNot(canBeOtherwise)),
        isOpen: allOf(canBeTrue, canBeOtherwise),
        unknown: [...unknown].filter(([, when]) => when !== false),
      });
    }
    return [...written.values()];
  }

  #ofRule({ expression }: Rule): WrittenExpression | undefined {
    const checked = this.expressions.checked(expression);
    return this.#written.find((one) => one.expression === checked);
  }

  /** The place of the rule that decides for certain, if no open rule above it does; the number of rules where none does. */
  #placeSql(rules: readonly Rule[]): string {
    const whens = rules.flatMap((rule, place) => {
      const matches = isKnownRule(rule) && this.#ofRule(rule)?.matches;
      return matches ? [`WHEN ${sqlOf(matches)} THEN ${place}`] : [];
    });
    return whens.length === 0
      ? String(rules.length)
      : `CASE ${whens.join(" ")} ELSE ${rules.length} END`;
  }

  #bitsOf(
    written: WrittenExpression,
    expression: number,
  ): { readonly bit: Bit; readonly sql: string }[] {
    const isReached = anyOf(
      ...this.#sets.map((rules, i) => {
        const place = rules.findIndex((rule) => this.#ofRule(rule) === written);
        if (place <= 0) return place === 0;
        return is(`(p${i} >= ${place})`);
      }),
    );
    const isOpen = allOf(isReached, written.isOpen);
    if (isOpen === false && !this.#isUncertain(written)) return [];
    const bit = (bit: Bit, condition: SqlCondition) =>
      condition === false ? [] : [{ bit, sql: sqlOf(condition) }];
    return [
      ...bit({ kind: "open", expression }, isOpen),
      ...(this.#isUncertain(written)
        ? bit(
            { kind: "matches", expression },
            allOf(isReached, written.matches),
          )
        : []),
      ...(written.unknown.length > 1
        ? written.unknown.flatMap(([part, when]) =>
            bit({ kind: "unknown", expression, part }, allOf(isOpen, when)),
          )
        : []),
    ];
  }

  /** Whether a rule with an action or a status that this version does not know has an expression. */
  #isUncertain(written: WrittenExpression): boolean {
    return this.#sets
      .flat()
      .some((rule) => !isKnownRule(rule) && this.#ofRule(rule) === written);
  }
}
