import { FIELDS, type Field } from "./fields";
import { FUNCTIONS, type LanguageFunction } from "./functions";
import {
  OPERATORS,
  type BinaryOperatorRow,
  type InfixOperator,
  type Operator,
} from "./operators";

const fields: ReadonlyMap<string, Field> = new Map(
  FIELDS.map((field) => [field.name, field]),
);
const groups: ReadonlySet<string> = new Set(
  FIELDS.flatMap(({ name }) => {
    const parts = name.split(".");
    return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("."));
  }),
);

/** The field of a full name, such as `sdk.version`. */
export function fieldNamed(name: string): Field | undefined {
  return fields.get(name);
}

/** Whether a name is the beginning of field names, such as `sdk.platform`. */
export function isFieldGroup(name: string): boolean {
  return groups.has(name);
}

/** The names that may follow a group, or, for "", that a field may begin with. */
export function namesUnder(group: string): string[] {
  const prefix = group === "" ? "" : `${group}.`;
  const under = FIELDS.filter(({ name }) => name.startsWith(prefix));
  return [
    ...new Set(
      under.map(({ name }) => name.slice(prefix.length).split(".", 1).join()),
    ),
  ];
}

const operators: readonly Operator[] = OPERATORS;
const functions: readonly LanguageFunction[] = FUNCTIONS;

type Named<Row extends { readonly kind: string; readonly name: string }> = {
  readonly [Kind in Row["kind"]]: ReadonlyMap<
    string,
    Extract<Row, { readonly kind: Kind }>
  >;
};

/** The operators of each kind, by each of their spellings. */
export const operatorsOf = byKind(operators);

/** The functions of each kind, by their names. */
export const functionsOf = byKind(functions);

type ValueFunction = Exclude<LanguageFunction, { readonly kind: "quantifier" }>;

/** The functions that are called with values, by their names. */
export const valueFunctions: ReadonlyMap<string, ValueFunction> = new Map(
  functions
    .filter((row) => row.kind !== "quantifier")
    .map((row) => [row.name, row] as const),
);

/** The operators between two operands, by each of their spellings. */
export const infixOperators: ReadonlyMap<string, InfixOperator> = new Map(
  operators
    .filter((row) => "precedence" in row)
    .flatMap((row) => spellingsOf(row).map((text) => [text, row] as const)),
);

/** The operators of binary nodes, by their names. */
export const binaryOperators: ReadonlyMap<string, BinaryOperatorRow> = new Map(
  [...infixOperators.values()]
    .filter((row) => row.kind !== "logical" && row.kind !== "order")
    .map((row) => [row.name, row] as const),
);

/** The spellings of operators that are words: no name of a field or a function may be one. */
export const operatorWords: ReadonlySet<string> = new Set(
  operators.flatMap(spellingsOf).filter((text) => /^\w+$/.test(text)),
);

/** How an operator may be written. */
export function spellingsOf({ name, word }: Spelled): string[] {
  return word === undefined ? [name] : [name, word];
}

interface Spelled {
  readonly name: string;
  readonly word?: string;
}

/** A row that is in the table, as the types of the syntax tree say. @throws Error if it is not in the table */
export function rowOf<Row>(rows: ReadonlyMap<string, Row>, name: string): Row {
  const row = rows.get(name);
  if (row === undefined) throw new Error(`${name} is in no table.`);
  return row;
}

function byKind<Row extends { readonly kind: string } & Spelled>(
  rows: readonly Row[],
): Named<Row> {
  const kinds: Record<string, Map<string, Row>> = {};
  for (const row of rows)
    for (const text of spellingsOf(row))
      (kinds[row.kind] ??= new Map()).set(text, row);
  return kinds as unknown as Named<Row>;
}
