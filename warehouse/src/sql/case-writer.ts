import {
  assertNever,
  type Core,
  type CoreOf,
  headerNameOf,
  isCanonicalHeaderName,
  type OrderOperatorRow,
} from "@devid/rules/internals";
import {
  type RuleRequest,
  FIELDS,
  type Field,
  type IpNetwork,
} from "@devid/rules/language";
import { addressKey, keysOfNetwork, mayBeIn } from "./address-key";
import {
  areEqualInSql,
  constantText,
  isLessInSql,
  isNil,
  textSql,
} from "./conditions/compare-values";
import type { Dialect } from "./dialects/dialect";
import type { EventColumns } from "./event-columns";
import { inLetterCase } from "./letter-case";
import { NotInDialectError } from "./not-in-dialect-error";
import { ForeignPatternError, patternSql } from "./pattern-sql";
import {
  inEveryRow,
  andThen,
  booleanOf,
  chosen,
  constantCase,
  either,
  FAILED,
  isConstant,
  type SqlCases,
  type SqlText,
  type SqlValue,
  TooManyCasesError,
} from "./conditions/sql-cases";
import {
  anyOf,
  is,
  isNot,
  type SqlCondition,
} from "./conditions/sql-condition";

/** How rows of a table are read. */
export interface RowReading {
  readonly dialect: Dialect;
  readonly columns: EventColumns;
  /** Canonical names of the headers that no client sends. */
  readonly notSent: ReadonlySet<string>;
  /** All networks that expressions use. Left out: any network may be used. */
  readonly networks?: readonly IpNetwork[];
  /**
   * Called for a derived text that is used more than once, so that a query can name the
   * text. Left out: the SQL is repeated. A rare text is empty in most rows, and every
   * condition of an empty rare text is false.
   */
  readonly derive?: (sql: string, of: SqlText, isRare?: boolean) => SqlText;
  /** Called for a condition that is used more than once. The condition may be null. */
  readonly name?: (sql: string) => string;
}

/** Most nodes that are written for one expression. A loop adds nodes for each element. */
const MAX_WRITTEN = 20_000;

/** The headers that an event has, by their canonical names. */
const HEADER_COLUMNS = {
  Origin: "origin",
  "User-Agent": "userAgent",
} as const;

/**
 * Writes the values of the nodes of one expression, for the rows in which every column
 * that the nodes read has a value.
 */
export class CaseWriter {
  #written = 0;

  /** @param source the text of the expression; @param rule the name of its rule, for errors */
  constructor(
    private readonly reading: RowReading,
    private readonly source: string,
    private readonly rule: string,
  ) {}

  /** @throws NotInDialectError */
  write(node: Core): SqlCases {
    try {
      return this.#cases(node, undefined);
    } catch (error) {
      if (error instanceof TooManyCasesError)
        this.#refuse(node, "it takes too many values to write them out");
      throw error;
    }
  }

  #refuse(node: Core, reason: string): never {
    const { offset, length } = node.span;
    throw new NotInDialectError(
      this.rule,
      this.source.slice(offset, offset + length),
      this.reading.dialect.name,
      reason,
    );
  }

  #derive(sql: string, of: SqlText, isRare?: boolean): SqlText {
    return (
      this.reading.derive?.(sql, of, isRare) ?? {
        kind: "text",
        sql: `(${sql})`,
        level: of.level,
      }
    );
  }

  /** @param element the value of `#` */
  #cases(node: Core, element: SqlValue | undefined): SqlCases {
    if (++this.#written > MAX_WRITTEN) throw new TooManyCasesError();
    const of = (operand: Core) => this.#cases(operand, element);
    switch (node.kind) {
      case "constant":
        return constantCase(node.value);
      case "pointer":
        return element ? inEveryRow(element) : FAILED;
      case "field":
        return this.#field(node.field);
      case "header":
        return this.#header(node);
      case "network":
        return this.#network(node);
      case "list":
        return this.#list(node.elements.map(of), []);
      case "element":
        return this.#element(of(node.list), of(node.index), node.index);
      case "call":
        return this.#call(node, node.args.map(of));
      case "text":
        return this.#both(of(node.left), of(node.right), (a, b) =>
          booleanOf(this.#holds(node, a, b)),
        );
      case "matches":
        return andThen(of(node.text), (text) =>
          booleanOf(this.#matches(node, text)),
        );
      case "equal":
        return this.#both(of(node.left), of(node.right), (a, b) =>
          node.failsOnNil && (isConstant(a, null) || isConstant(b, null))
            ? FAILED
            : booleanOf(areEqualInSql(this.reading.dialect, a, b)),
        );
      case "order":
        return this.#order(node, element);
      case "in":
        return this.#both(of(node.needle), of(node.list), (needle, list) =>
          booleanOf(
            list.kind === "list" &&
              anyOf(
                ...list.elements.map((one) =>
                  areEqualInSql(this.reading.dialect, one, needle),
                ),
              ),
          ),
        );
      case "some":
        return andThen(of(node.list), (list) => this.#some(node, list));
      case "filter":
        return andThen(of(node.list), (list) => this.#filter(node, list));
      case "not":
        return andThen(of(node.operand), (value) =>
          isBoolean(value) ? constantCase(!value.value) : FAILED,
        );
      case "logical": {
        const { decides, operands } = node;
        const from = (at: number): SqlCases => {
          const operand = operands[at];
          if (!operand) return FAILED;
          if (at === operands.length - 1) return of(operand);
          return andThen(of(operand), (value) => {
            if (isConstant(value, decides)) return constantCase(decides);
            return isConstant(value, !decides) ? from(at + 1) : FAILED;
          });
        };
        return from(0);
      }
      case "if":
        return andThen(of(node.condition), (value) => {
          if (isConstant(value, true)) return of(node.consequent);
          return isConstant(value, false) ? of(node.alternate) : FAILED;
        });
      case "coalesce":
        return andThen(of(node.left), (value) =>
          isNil(value) ? of(node.right) : inEveryRow(value),
        );
      default:
        return assertNever(node);
    }
  }

  #both(
    left: SqlCases,
    right: SqlCases,
    next: (a: SqlValue, b: SqlValue) => SqlCases,
  ): SqlCases {
    return andThen(left, (a) => andThen(right, (b) => next(a, b)));
  }

  #list(left: readonly SqlCases[], elements: readonly SqlValue[]): SqlCases {
    const [first, ...others] = left;
    if (!first) return inEveryRow({ kind: "list", elements, isMissing: false });
    return andThen(first, (value) => this.#list(others, [...elements, value]));
  }

  #field(field: Field): SqlCases {
    const column = columnOf(this.reading, field.from) ?? "NULL";
    const readAs = (value: string | undefined) =>
      field.read({ headers: {}, [field.from]: value });
    const values = valuesOf(field.from);
    if (values) {
      // Any other value reads like a missing value.
      const otherwise = readAs(undefined) as string | boolean;
      return chosen(
        values.flatMap((value) => {
          const read = readAs(value) as string | boolean;
          if (read === otherwise) return [];
          const literal = this.reading.dialect.quoteText(value);
          return [
            [is(`(${column} = ${literal})`), constantCase(read)] as const,
          ];
        }),
        constantCase(otherwise),
      );
    }
    return field.type === "boolean"
      ? booleanOf(is(`(${column})`))
      : inEveryRow({ kind: "text", sql: column, level: 0 });
  }

  #header(node: CoreOf<"header">): SqlCases {
    const name = headerNameOf(node) ?? "";
    const missing = inEveryRow({ kind: "list", elements: [], isMissing: true });
    const column = columnOfHeader(this.reading, name);
    if (column === undefined) return missing;
    const sent = inEveryRow({
      kind: "list",
      elements: [{ kind: "text", sql: column, level: 0 }],
      isMissing: false,
    });
    return isKnownMissing(this.reading, name)
      ? either(is(`(${column} IS NOT NULL)`), sent, missing)
      : sent;
  }

  #network({ network }: CoreOf<"network">): SqlCases {
    const { dialect, columns, networks } = this.reading;
    const ip = columns.ipAddress ?? "NULL";
    const anyKey = addressKey(dialect, ip);
    const keySql = networks
      ? `CASE WHEN ${mayBeIn(dialect, ip, networks)} THEN ${anyKey} ELSE '' END`
      : anyKey;
    const text = { kind: "text", sql: ip, level: 0 } as const;
    const key = this.#derive(keySql, text, true);
    const [first, last] = keysOfNetwork(network).map((one) =>
      dialect.quoteText(one),
    );
    return booleanOf(
      is(
        first === last
          ? `(${key.sql} = ${first})`
          : `(${key.sql} BETWEEN ${first} AND ${last})`,
      ),
    );
  }

  #element(lists: SqlCases, indexes: SqlCases, node: Core): SqlCases {
    const at = ({ elements }: { elements: readonly SqlValue[] }, i: number) => {
      const value = elements.at(i);
      return value ? inEveryRow(value) : FAILED;
    };
    return this.#both(lists, indexes, (list, index) => {
      if (list.kind !== "list") return FAILED;
      if (index.kind === "constant")
        return node.kind === "constant" || typeof index.value === "bigint"
          ? at(list, Number(index.value))
          : FAILED;
      if (index.kind !== "integer") return FAILED;
      const { length } = list.elements;
      return chosen(
        Array.from({ length: 2 * length }, (_, n) => n - length).map(
          (i) => [is(`(${index.sql} = ${i})`), at(list, i)] as const,
        ),
        FAILED,
      );
    });
  }

  #call(node: CoreOf<"call">, args: readonly SqlCases[]): SqlCases {
    const { call } = node;
    const [first = FAILED, second] = args;
    const { dialect } = this.reading;
    if (call.kind === "length")
      return andThen(first, (value) => {
        switch (value.kind) {
          case "text":
            return inEveryRow({
              kind: "integer",
              sql: dialect.lengthOf(value.sql),
            });
          case "list":
            return constantCase(BigInt(value.elements.length));
          default: {
            const text = value.kind === "constant" ? value.value : undefined;
            return typeof text === "string"
              ? constantCase(BigInt([...text].length))
              : FAILED;
          }
        }
      });
    if (call.kind === "negative")
      return andThen(first, (value) => {
        if (value.kind === "integer")
          return inEveryRow({ kind: "integer", sql: `(-${value.sql})` });
        const number = value.kind === "constant" ? value.value : undefined;
        return typeof number === "bigint" || typeof number === "number"
          ? constantCase(-number)
          : FAILED;
      });
    const applied = (text: SqlValue, other: SqlValue | undefined) => {
      if (text.kind === "constant" && typeof text.value === "string") {
        if (!other) return constantCase(call.apply(text.value));
        if (other.kind === "constant" && typeof other.value === "string")
          return constantCase(call.apply(text.value, other.value));
      }
      const isText = (value: SqlValue | undefined) =>
        !value || value.kind === "text" || constantText(value) !== undefined;
      if (!isText(text) || !isText(other)) return FAILED;
      return inEveryRow(this.#textCall(node, call.name, text, other));
    };
    return second
      ? this.#both(first, second, applied)
      : andThen(first, (text) => applied(text, undefined));
  }

  #textCall(
    node: Core,
    name: string,
    text: SqlValue,
    other: SqlValue | undefined,
  ): SqlText {
    const { dialect } = this.reading;
    const characters = other?.kind === "constant" ? other.value : undefined;
    const isLiteral = !other || typeof characters === "string";
    if (text.kind !== "text" || !isLiteral)
      this.#refuse(
        node,
        "the characters to trim are not the same in every row",
      );
    switch (name) {
      case "lower":
      case "upper":
        return this.#derive(inLetterCase(dialect, text.sql, name), text);
      case "trim": {
        if (characters === "") return text;
        const members =
          typeof characters === "string"
            ? `[${[...new Set(characters)].map((one) => `\\x{${(one.codePointAt(0) ?? 0).toString(16)}}`).join("")}]`
            : SPACE;
        const pattern = patternSql(dialect, `\\A${members}+|${members}+\\z`);
        return this.#derive(
          dialect.replaceMatches(text.sql, pattern, ""),
          text,
        );
      }
      default:
        return this.#refuse(node, `SQL has no function for ${name}()`);
    }
  }

  #holds(node: CoreOf<"text">, left: SqlValue, right: SqlValue): SqlCondition {
    const { dialect } = this.reading;
    const { holds, symbolic, name } = node.operator;
    const [a, b] = [constantText(left), constantText(right)];
    if (a !== undefined && b !== undefined) return holds(a, b);
    const [text, part] = [
      textSql(this.reading.dialect, left),
      textSql(this.reading.dialect, right),
    ];
    if (text === undefined || part === undefined) return false;
    switch (symbolic?.part) {
      case "anywhere":
        return is(dialect.contains(text, part));
      case "start":
        return is(dialect.startsWith(text, part));
      case "end":
        return is(dialect.endsWith(text, part));
      case undefined:
        return this.#refuse(node, `SQL has no operator for ${name}`);
    }
  }

  #matches(node: CoreOf<"matches">, text: SqlValue): SqlCondition {
    const literal = constantText(text);
    if (literal !== undefined) return node.read.test(literal);
    if (text.kind !== "text") return false;
    const { dialect } = this.reading;
    try {
      return is(dialect.matches(text.sql, patternSql(dialect, node.pattern)));
    } catch (error) {
      if (error instanceof ForeignPatternError)
        this.#refuse(node, error.message);
      throw error;
    }
  }

  /** A chain ends at the first false comparison. */
  #order(node: CoreOf<"order">, element: SqlValue | undefined): SqlCases {
    const { operators, operands } = node;
    const from = (left: SqlValue, at: number): SqlCases => {
      const operator = operators[at];
      const right = operands[at + 1];
      if (!operator || !right) return constantCase(true);
      return andThen(this.#cases(right, element), (value) =>
        andThen(this.#isOrdered(operator, left, value), (holds) =>
          isConstant(holds, true) ? from(value, at + 1) : constantCase(false),
        ),
      );
    };
    const [first] = operands;
    return first
      ? andThen(this.#cases(first, element), (value) => from(value, 0))
      : FAILED;
  }

  #isOrdered(
    { isSwapped, isNegated }: OrderOperatorRow,
    a: SqlValue,
    b: SqlValue,
  ): SqlCases {
    const less = isSwapped
      ? isLessInSql(this.reading.dialect, b, a)
      : isLessInSql(this.reading.dialect, a, b);
    if (less === undefined) return FAILED;
    return booleanOf(isNegated ? isNot(less) : less);
  }

  #some(node: CoreOf<"some">, list: SqlValue): SqlCases {
    if (list.kind !== "list") return FAILED;
    const from = (at: number): SqlCases => {
      const element = list.elements[at];
      if (!element) return constantCase(false);
      return andThen(this.#cases(node.condition, element), (value) => {
        if (!isBoolean(value)) return FAILED;
        return value.value === node.wanted ? constantCase(true) : from(at + 1);
      });
    };
    return from(0);
  }

  #filter(node: CoreOf<"filter">, list: SqlValue): SqlCases {
    if (list.kind !== "list") return FAILED;
    const from = (at: number, found: readonly SqlValue[]): SqlCases => {
      const element = list.elements[at];
      if (!element)
        return inEveryRow({ kind: "list", elements: found, isMissing: false });
      return andThen(this.#cases(node.condition, element), (value) => {
        if (!isBoolean(value)) return FAILED;
        const next = value.value ? [...found, element] : found;
        return next.length < node.most
          ? from(at + 1, next)
          : inEveryRow({ kind: "list", elements: next, isMissing: false });
      });
    };
    return from(0, []);
  }
}

/** Whether a header that an event does not have is known to be missing. */
export function isKnownMissing(reading: RowReading, header: string): boolean {
  // Requests hold headers under their canonical names only.
  return reading.notSent.has(header) || !isCanonicalHeaderName(header);
}

/** The column of a member of a request. */
export function columnOf(
  reading: RowReading,
  member: keyof RuleRequest,
): string | undefined {
  const { columns } = reading;
  switch (member) {
    case "headers":
      return undefined;
    case "ip":
      return columns.ipAddress;
    default:
      return columns[member];
  }
}

/** The column that has a value in the rows in which a member of a request is known. */
export function columnThatTells(
  reading: RowReading,
  member: keyof RuleRequest,
): string | undefined {
  const { flagsOf, userAgent } = reading.columns;
  const isFlag = member === "isAiBot" || member === "isCrawlerBot";
  return flagsOf && isFlag ? userAgent : columnOf(reading, member);
}

/** The column with the value of a header. */
export function columnOfHeader(
  reading: RowReading,
  name: string,
): string | undefined {
  return Object.hasOwn(HEADER_COLUMNS, name)
    ? reading.columns[HEADER_COLUMNS[name as keyof typeof HEADER_COLUMNS]]
    : undefined;
}

/** White space of the language, as a class of a pattern. */
const SPACE =
  "[\\x{9}-\\x{d}\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}]";

function isBoolean(
  value: SqlValue,
): value is { readonly kind: "constant"; readonly value: boolean } {
  return value.kind === "constant" && typeof value.value === "boolean";
}

/** The values that a member of a request may have, if they are few. */
function valuesOf(member: keyof RuleRequest): readonly string[] | undefined {
  for (const { from, symbolic } of FIELDS)
    if (from === member && symbolic?.kind === "variable" && symbolic.values)
      return symbolic.values;
  return undefined;
}
