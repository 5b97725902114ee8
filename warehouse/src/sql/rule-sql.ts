import {
  RuleExpressions,
  type Core,
  coreOf,
  isKnownRule,
} from "@devid/rules/internals";
import type { CheckedExpression } from "@devid/rules/language";
import { type Rule } from "@devid/rules";
import { networksOf } from "./address-key";
import { ConditionWriter, type PartialCondition } from "./condition-writer";
import { DIALECTS } from "./dialects";
import type { DialectName } from "./dialects/dialect";
import type { EventColumns } from "./event-columns";
import { NotInDialectError } from "./not-in-dialect-error";
import { RowLayers } from "./row-layers";
import { anyOf, sqlOf } from "./conditions/sql-condition";

/** The table and the rule for which an expression is written. */
export interface RuleSqlOptions {
  /** The name of the rule, for errors. */
  readonly rule: string;
  readonly dialect: DialectName;
  readonly columns: EventColumns;
  /** Canonical names of the headers that no client sends. */
  readonly assumeNotSent?: ReadonlySet<string>;
}

/** An expression as conditions of rows, each the SQL of a boolean that is never null. */
export interface ConditionSql {
  /** Whether the expression is true for some values of the data that the event lacks. */
  readonly canBeTrue: string;
  /**
   * Whether the expression is false or fails for some values of the data that the event
   * lacks.
   */
  readonly canBeOtherwise: string;
  /**
   * The unknown parts of the request that the result depends on, with the rows in which
   * it does.
   */
  readonly unknown: readonly { readonly part: string; readonly when: string }[];
}

/**
 * An expression as SQL. A row matches for certain where `canBeTrue` holds and
 * `canBeOtherwise` does not.
 * @param node a node of the core of the expression; left out, all of it
 * @throws NotInDialectError
 *
 * @example
 * const { canBeTrue } = conditionSql(expression, { rule: "bots", dialect: "duckdb", columns });
 */
export function conditionSql(
  expression: CheckedExpression,
  { rule, dialect, columns, assumeNotSent = new Set() }: RuleSqlOptions,
  node: Core = coreOf(expression),
): ConditionSql {
  const writer = new ConditionWriter({
    dialect: DIALECTS[dialect],
    columns,
    notSent: assumeNotSent,
    networks: networksOf(node),
  });
  return printed(writer.write(node, expression.source, rule));
}

const printed = ({
  canBeTrue,
  canBeFalse,
  canFail,
  unknown,
}: PartialCondition): ConditionSql => ({
  canBeTrue: sqlOf(canBeTrue),
  canBeOtherwise: sqlOf(anyOf(canBeFalse, canFail)),
  unknown: [...unknown].map(([part, when]) => ({ part, when: sqlOf(when) })),
});

/** What a rule set decides about the event of a row, as texts in SQL. */
export interface DecisionSql {
  /** The result, then a colon and the rule that decides: `deny: bots`. Never null. */
  readonly decision: string;
  /** `allow`, `deny` or `cannot tell`; never null. */
  readonly result: string;
  /**
   * The name of the rule that decides. Null if the rule cannot be told, or if no rule
   * matches and the request is allowed.
   */
  readonly rule: string;
}

/**
 * What an ordered rule set decides, for dashboards and queries by hand. The first rule
 * that matches decides, disabled rules are skipped.
 * @throws NotInDialectError also for a rule whose expression has a mistake
 */
export function decisionSql(
  rules: readonly Rule[],
  options: Omit<RuleSqlOptions, "rule">,
): DecisionSql {
  const dialect = DIALECTS[options.dialect];
  const { quoteText, asText } = dialect;
  const layers = new RowLayers(dialect);
  const writer = new ConditionWriter({
    dialect,
    columns: layers.columns(options.columns),
    notSent: options.assumeNotSent ?? new Set(),
    derive: (sql, of) => layers.derive(sql, of),
    name: (condition) => layers.condition(condition),
  });
  const expressions = new RuleExpressions();
  const asked = new Set<CheckedExpression>();
  const steps = rules.flatMap((rule) => {
    if (rule.status === "disabled") return [];
    const expression = expressions.checked(rule.expression);
    if (!expression)
      throw new NotInDialectError(
        rule.name,
        rule.expression,
        options.dialect,
        "it has a mistake, which `devid rules check` names",
      );
    // An expression that did not match in an earlier rule does not match in this one.
    if (asked.has(expression)) return [];
    asked.add(expression);
    const { source } = expression;
    const sql = printed(writer.write(coreOf(expression), source, rule.name));
    const matches = `(${sql.canBeTrue} AND NOT ${sql.canBeOtherwise})`;
    return [{ rule, matches, mayMatch: sql.canBeTrue }];
  });
  const choice = (whens: readonly string[], otherwise: string) =>
    whens.length === 0
      ? otherwise
      : `CASE ${whens.join(" ")} ELSE ${otherwise} END`;
  /**
   * Whether a result is possible: an undetermined rule has this action, or the first
   * rule that certainly matches does.
   */
  const canBe = (result: Rule["action"], withoutRules: string) =>
    choice(
      steps.map(({ rule, matches, mayMatch }) =>
        rule.action === result || !isKnownRule(rule)
          ? `WHEN ${mayMatch} THEN ${sqlOf(true)}`
          : `WHEN ${matches} THEN ${sqlOf(false)}`,
      ),
      withoutRules,
    );
  const [canBeDenied, canBeAllowed] = [
    canBe("deny", sqlOf(false)),
    canBe("allow", sqlOf(true)),
  ];
  const result = `CASE WHEN NOT (${canBeDenied}) THEN 'allow' WHEN NOT (${canBeAllowed}) THEN 'deny' ELSE 'cannot tell' END`;
  const rule = choice(
    steps.flatMap(({ rule, matches, mayMatch }) => [
      ...(isKnownRule(rule)
        ? [`WHEN ${matches} THEN ${quoteText(rule.name)}`]
        : []),
      `WHEN ${mayMatch} THEN ${asText("NULL")}`,
    ]),
    asText("NULL"),
  );
  const decision = `((${result}) || coalesce(': ' || (${rule}), ''))`;
  const bound = (sql: string) => layers.bound(sql);
  return {
    decision: bound(decision),
    result: bound(result),
    rule: bound(rule),
  };
}
