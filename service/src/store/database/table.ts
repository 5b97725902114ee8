/** The values of columns and of bound parameters. */
export type SqlValue = string | number | null;

/** What is stored for a value: a boolean as 0 or 1, an object or a list as JSON. */
export function stored(value: unknown): SqlValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string" || typeof value === "number") return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/**
 * How a new row gets the value of a column: the caller must give it, the caller may
 * give it, or SQLite makes it.
 */
type Source = "given" | "optional" | "generated";

/**
 * A column: the SQL that declares it. The type parameters are the type of its values,
 * their source, and the type of what an insert or an update takes for them.
 */
export interface Column<
  Value extends SqlValue = SqlValue,
  From extends Source = Source,
  Taken = Value,
> {
  readonly sql: string;
  /** Never set. These members carry the types. */
  readonly value?: Value;
  readonly source?: From;
  readonly taken?: Taken;
}

/** Columns by their names. */
export type Columns = Readonly<
  Record<string, Column<SqlValue, Source, unknown>>
>;

/** A table of the data file. Its rows, inserts, updates and schema come from this alone. */
export interface Table<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
  /** The primary key, if it has several columns. */
  readonly primaryKey?: readonly string[];
  readonly withoutRowid?: boolean;
}

type Given<C extends Columns, From extends Source> = {
  [Name in keyof C]: C[Name] extends Column<SqlValue, From, unknown>
    ? Name
    : never;
}[keyof C];

type ValueOf<C> =
  C extends Column<infer Value, Source, unknown> ? Value : never;

type TakenBy<C> =
  C extends Column<SqlValue, Source, infer Taken> ? Taken : never;

/** A row of a table. */
export type RowOf<T> =
  T extends Table<infer C>
    ? { readonly [Name in keyof C]: ValueOf<C[Name]> }
    : never;

/** What an insert takes. A column that is left out, or undefined, is null or has its default. */
export type NewRow<C extends Columns> = {
  readonly [Name in Given<C, "given">]: TakenBy<C[Name]>;
} & {
  readonly [Name in Given<C, "optional">]?: TakenBy<C[Name]> | undefined;
};

/** What an update takes. A column that is left out, or undefined, keeps its value. */
export type Change<C extends Columns> = {
  readonly [Name in keyof C]?: TakenBy<C[Name]> | undefined;
};

/** Declares a table. */
export function defineTable<const C extends Columns>(
  name: string,
  columns: C,
  rest: Omit<Table<C>, "name" | "columns" | "primaryKey"> & {
    readonly primaryKey?: readonly (keyof C & string)[];
  } = {},
): Table<C> {
  return { name, columns, ...rest };
}

const column = <
  Value extends SqlValue,
  From extends Source = "given",
  Taken = Value,
>(
  type: string,
  rest = "",
): Column<Value, From, Taken> => ({ sql: `${type} ${rest}`.trimEnd() });

/** The number of a row: it grows with each new row, and is never used twice. */
export const seq = () =>
  column<number, "generated">("INTEGER PRIMARY KEY AUTOINCREMENT");

/** The text that a row is found by. */
export const primaryKey = <T extends string = string>() =>
  column<T>("TEXT PRIMARY KEY");

/** A text. `rest` is the SQL of its constraints. */
export const text = <T extends string = string>(rest?: string) =>
  column<T>("TEXT NOT NULL", rest);

/** A text or null. */
export const textOrNull = <T extends string = string>() =>
  column<T | null, "optional">("TEXT");

/** An integer; 0 and 1 are false and true. */
export const integer = (rest?: string) =>
  column<number>("INTEGER NOT NULL", rest);

/** An integer that is 0 until it is given. */
export const integerOrZero = () =>
  column<number, "optional">("INTEGER NOT NULL DEFAULT 0");

/** A boolean that is false until it is given. A row has 0 or 1. */
export const booleanOrFalse = () =>
  column<number, "optional", boolean>("INTEGER NOT NULL DEFAULT 0");

/** An integer or null. */
export const integerOrNull = (rest?: string) =>
  column<number | null, "optional">("INTEGER", rest);

/** A number. */
export const real = () => column<number>("REAL NOT NULL");

/** A number or null. */
export const realOrNull = () => column<number | null, "optional">("REAL");

/** The SQL that makes a table. */
export function createTable({
  name,
  columns,
  primaryKey: key,
  withoutRowid,
}: Table): string {
  const lines = Object.entries(columns).map(
    ([column, { sql }]) => `${column} ${sql}`,
  );
  if (key) lines.push(`PRIMARY KEY (${key.join(", ")})`);
  const options = withoutRowid ? "STRICT, WITHOUT ROWID" : "STRICT";
  return `CREATE TABLE ${name} (${lines.join(", ")}) ${options};`;
}
