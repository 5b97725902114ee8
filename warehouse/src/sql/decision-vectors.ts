import {
  RuleExpressions,
  type Match,
  isKnownRule,
} from "@devid/rules/internals";
import type { CheckedExpression, PartialResult } from "@devid/rules/language";
import { changedRules } from "@devid/review/internals";
import { type Rule } from "@devid/rules";
import { hasBit, packed } from "./conditions/bits";
import type { EventTable, SqlRow } from "./event-table";
import { type JudgedExpression, JudgedRows, ROW_NUMBER } from "./judged-rows";
import {
  allOf,
  anyOf,
  is,
  sqlOf,
  type SqlCondition,
} from "./conditions/sql-condition";

type Bit =
  | { readonly kind: "open" | "matches"; readonly expression: number }
  | { readonly kind: "unknown"; readonly expression: number; part: string };

/** The result of each expression for all rows of a group. */
export type Answers = (expression: CheckedExpression) => PartialResult;

/** Counted rows of a table, and their vectors. */
export interface VectorGroups {
  /**
   * The select that counts the rows. The other members read its result: a parameter
   * `from` is the text after FROM.
   */
  readonly counted: string;
  /** The groups with their vectors, and with `numbers`, the list of row numbers. */
  readonly vectors: (from: string) => string;
  /**
   * A row for each vector and keys: the vector, the keys, the number of rows, and the
   * times of the first and the last.
   */
  readonly sums: (from: string) => string;
}

/**
 * Columns by which rows can be grouped so that all rows of a group have the same
 * decisions of two rule sets. The columns say which rule of each set certainly decides,
 * which rules before that rule are undetermined, and on which missing data the
 * undetermined rules depend. Later rules make no difference.
 */
export class DecisionVectors {
  /**
   * The expressions, parsed once. Expressions that differ only in spelling share one
   * entry.
   */
  readonly expressions = new RuleExpressions();
  /** The rows of the table, with the results of the rules of both sets. */
  readonly judged: JudgedRows;
  readonly #sets: readonly (readonly Rule[])[];
  readonly #places: readonly string[];
  readonly #bits: readonly Bit[];
  readonly #bitsSql: readonly string[];

  /** @throws NotInDialectError */
  constructor(
    table: EventTable,
    inForce: readonly Rule[],
    proposed: readonly Rule[],
    notSent: ReadonlySet<string>,
  ) {
    this.#sets = [inForce, proposed].map((rules) =>
      rules.filter(({ status }) => status !== "disabled"),
    );
    const asked = new Map<CheckedExpression, string>();
    for (const { expression, name } of this.#sets.flat()) {
      const checked = this.expressions.checked(expression);
      if (checked && !asked.has(checked)) asked.set(checked, name);
    }
    this.judged = new JudgedRows(table, asked, notSent);
    this.#places = this.#sets.map((rules) => this.#placeSql(rules));
    const bits = this.judged.expressions.flatMap((one, expression) =>
      this.#bitsOf(one, expression),
    );
    this.#bits = bits.map(({ bit }) => bit);
    this.#bitsSql = bits.map(({ sql }) => sql);
  }

  /** The names of the columns of a vector. */
  get names(): readonly string[] {
    return ["p0", "p1", ...packed(this.#bitsSql).map((_, i) => `v${i}`)];
  }

  /**
   * The rows that meet a condition, with named columns and vectors. Rows in which
   * surely no change of decision is certain are left out.
   */
  rows(where: string): string {
    return this.#withVectors(
      `SELECT * FROM (${this.judged.rows(where)}) AS t WHERE ${sqlOf(this.#mayChange())}`,
    );
  }

  /**
   * Counts the rows that meet a condition of the table, grouped by vector and by `keys`
   * (names with expressions of a row).
   * @param isNumbered whether the numbers of the rows that may change are kept
   */
  groups(
    where: string,
    keys: Readonly<Record<string, string>>,
    isNumbered: boolean,
  ): VectorGroups {
    const { asInteger, lists } = this.judged.reading.dialect;
    const { timestamp } = this.judged.columns;
    const changing = sqlOf(this.#mayChange());
    const { counted, readFrom } = this.judged.groups(where, keys, {
      events: "count(*)",
      first_time: `min(${timestamp})`,
      last_time: `max(${timestamp})`,
      ...(isNumbered &&
        lists && { numbers: lists.collect(ROW_NUMBER, changing) }),
    });
    const grouped = [...this.names, ...Object.keys(keys)].join(", ");
    const vectors = (from: string) => this.#withVectors(readFrom(from));
    return {
      counted,
      vectors,
      sums: (from) =>
        `SELECT ${grouped}, ${asInteger("sum(events)")}, min(first_time), max(last_time) FROM (${vectors(from)}) AS t GROUP BY ${grouped}`,
    };
  }

  #withVectors(rows: string): string {
    const { opaque = (integer: string) => integer } =
      this.judged.reading.dialect;
    const [p0, p1] = this.#places.map(opaque);
    const placed = `SELECT *, ${p0} AS p0, ${p1} AS p1 FROM (${rows}) AS t`;
    const integers = packed(this.#bitsSql).map(
      (sql, i) => `${opaque(sql)} AS v${i}`,
    );
    return integers.length === 0
      ? placed
      : `SELECT *, ${integers.join(", ")} FROM (${placed}) AS t`;
  }

  /** Reads a vector. Its cells are in the order of `names`. */
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
      if (!hasBit(integers, n)) continue;
      const written = this.judged.expressions[bit.expression];
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

  /**
   * The rows in which a rule that is in only one set, or that moved, certainly matches.
   * In all other rows, both sets decide by the same rule if no undetermined rule
   * matches, so no change is certain.
   */
  #mayChange(): SqlCondition {
    const matches = new Map<CheckedExpression | string, Match>();
    const [before = [], after = []] = this.#sets.map((rules) =>
      rules.map((rule) => {
        const expression = this.expressions.checked(rule.expression);
        const key =
          expression && isKnownRule(rule)
            ? expression
            : JSON.stringify([rule.expression, rule.action, rule.status]);
        const match = matches.get(key) ?? (() => ({ value: false }));
        matches.set(key, match);
        return { rule, match };
      }),
    );
    const changed = this.#sets.flat().filter(changedRules(before, after));
    return anyOf(
      ...changed.map((rule) => this.#ofRule(rule)?.matches ?? false),
    );
  }

  #ofRule({ expression }: Rule): JudgedExpression | undefined {
    const checked = this.expressions.checked(expression);
    return this.judged.expressions.find((one) => one.expression === checked);
  }

  /**
   * The index of the rule that decides if no undetermined rule before it matches; the
   * number of rules if none decides.
   */
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
    written: JudgedExpression,
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

  #isUncertain(written: JudgedExpression): boolean {
    return this.#sets
      .flat()
      .some((rule) => !isKnownRule(rule) && this.#ofRule(rule) === written);
  }
}
