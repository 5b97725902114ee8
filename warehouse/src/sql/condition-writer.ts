import {
  type Core,
  type CoreOf,
  hasNestedLoop,
  isLogic,
  nameOfRead,
  type Read,
  readsOf,
} from "@devid/rules/internals";
import { isConstant, whenIs } from "./conditions/sql-cases";
import {
  allOf,
  anyOf,
  is,
  isNot,
  sqlOf,
  type SqlCondition,
} from "./conditions/sql-condition";
import {
  CaseWriter,
  columnOfHeader,
  columnThatTells,
  isKnownMissing,
  type RowReading,
} from "./case-writer";

/**
 * The result of partial evaluation for the event of a row, as conditions that are never
 * null.
 */
export interface PartialCondition {
  readonly canBeTrue: SqlCondition;
  readonly canBeFalse: SqlCondition;
  readonly canFail: SqlCondition;
  /**
   * The unknown parts of the request that a result depends on, with the rows in which
   * it does.
   */
  readonly unknown: ReadonlyMap<string, SqlCondition>;
}

/**
 * Writes expressions as conditions of rows that hold events. It works like the partial
 * evaluator (`evaluate-partly.ts`), with SQL in place of values. An event has only a
 * few texts, so the length of every list is known, and loops are written out.
 */
export class ConditionWriter {
  #cases: CaseWriter;

  constructor(private readonly reading: RowReading) {
    this.#cases = new CaseWriter(reading, "", "");
  }

  /**
   * @param source the text that `core` was made of; @param rule the name of its rule
   * @throws NotInDialectError
   */
  write(core: Core, source: string, rule: string): PartialCondition {
    this.#cases = new CaseWriter(this.reading, source, rule);
    const unknown = new Map<string, SqlCondition>();
    const isWhole = hasNestedLoop(core);
    const written = this.#partly(core, true, unknown, isWhole);
    return { ...written, unknown };
  }

  /** @param reached the rows in which the node is evaluated */
  #partly(
    node: Core,
    reached: SqlCondition,
    unknown: Map<string, SqlCondition>,
    isWhole: boolean,
  ): Omit<PartialCondition, "unknown"> {
    if (isWhole || !isLogic(node)) return this.#atom(node, reached, unknown);
    const of = (operand: Core, when: SqlCondition) =>
      this.#partly(operand, when, unknown, false);
    switch (node.kind) {
      case "not": {
        const { canBeTrue, canBeFalse, canFail } = of(node.operand, reached);
        return { canBeTrue: canBeFalse, canBeFalse: canBeTrue, canFail };
      }
      case "logical":
        return this.#logical(node, reached, of);
      case "if": {
        const first = of(node.condition, reached);
        const yes = of(node.consequent, allOf(reached, first.canBeTrue));
        const no = of(node.alternate, allOf(reached, first.canBeFalse));
        const union = (get: keyof typeof yes) =>
          anyOf(
            allOf(first.canBeTrue, yes[get]),
            allOf(first.canBeFalse, no[get]),
          );
        return {
          canBeTrue: union("canBeTrue"),
          canBeFalse: union("canBeFalse"),
          canFail: anyOf(first.canFail, union("canFail")),
        };
      }
    }
  }

  #logical(
    { decides, operands }: CoreOf<"logical">,
    reached: SqlCondition,
    of: (
      operand: Core,
      when: SqlCondition,
    ) => Omit<PartialCondition, "unknown">,
  ): Omit<PartialCondition, "unknown"> {
    /** The rows in which no earlier operand has certainly decided the chain. */
    let continues: SqlCondition = true;
    let settled: SqlCondition = false;
    let canFail: SqlCondition = false;
    for (const operand of operands) {
      const found = of(operand, allOf(reached, continues));
      const settles = decides ? found.canBeTrue : found.canBeFalse;
      settled = anyOf(settled, this.#within(continues, settles, canFail));
      canFail = anyOf(canFail, allOf(continues, found.canFail));
      continues = allOf(
        continues,
        decides ? found.canBeFalse : found.canBeTrue,
      );
    }
    return decides
      ? { canBeTrue: settled, canBeFalse: continues, canFail }
      : { canBeTrue: continues, canBeFalse: settled, canFail };
  }

  /**
   * Whether an operand is evaluated and decides its chain. If no operand before it can
   * fail, the chain is already decided in every row in which the operand is not
   * evaluated.
   */
  #within(
    continues: SqlCondition,
    settles: SqlCondition,
    canFail: SqlCondition,
  ): SqlCondition {
    return canFail === false ? settles : allOf(continues, settles);
  }

  #atom(
    node: Core,
    reached: SqlCondition,
    unknown: Map<string, SqlCondition>,
  ): Omit<PartialCondition, "unknown"> {
    let isKnown: SqlCondition = true;
    for (const read of readsOf(node)) {
      const known = this.#isKnown(read);
      isKnown = allOf(isKnown, known);
      const name = nameOfRead(read);
      const open = allOf(reached, isNot(known));
      if (open !== false)
        unknown.set(name, anyOf(unknown.get(name) ?? false, open));
    }
    if (isKnown === false)
      return { canBeTrue: true, canBeFalse: true, canFail: node.mayFail };
    const spelled = this.#cases.write(node);
    const failed = this.#named(spelled.failed);
    const isTrue = this.#named(
      whenIs(spelled, (value) => isConstant(value, true)),
    );
    const isOpen = isNot(isKnown);
    return {
      canBeTrue: anyOf(isOpen, isTrue),
      canBeFalse: anyOf(isOpen, isNot(anyOf(isTrue, failed))),
      canFail: node.mayFail ? anyOf(isOpen, failed) : allOf(isKnown, failed),
    };
  }

  #named(condition: SqlCondition): SqlCondition {
    const { name } = this.reading;
    return name && typeof condition !== "boolean"
      ? is(name(sqlOf(condition)))
      : condition;
  }

  /** The rows in which a part of the request is known. */
  #isKnown({ field, header }: Read): SqlCondition {
    const isReported = (column: string | undefined) =>
      column === undefined ? false : this.#named(is(`(${column} IS NOT NULL)`));
    if (field.type !== "headers")
      return isReported(columnThatTells(this.reading, field.from));
    if (header === undefined) return false;
    if (isKnownMissing(this.reading, header)) return true;
    return isReported(columnOfHeader(this.reading, header));
  }
}
