/** The values of columns and of bound parameters. */
export type SqlValue = string | number | null;

/**
 * How a new row gets the value of a column: the caller must give it, the caller may
 * give it, or SQLite makes it.
 */
type Source = "given" | "optional" | "generated";

/**
 * A column: the SQL that declares it. The type parameters are the type of its values
 * and their source.
 */
export interface Column<
  Value extends SqlValue = SqlValue,
  From extends Source = Source,
> {
  readonly sql: string;
  /** Whether a later step than the one that makes the table adds the column. */
  readonly isAdded?: boolean;
  /** Never set. These members carry the types. */
  readonly value?: Value;
  readonly source?: From;
}

/** Columns by their names. */
export type Columns = Readonly<Record<string, Column>>;

/** A table of the data file. Its rows, inserts, updates and schema come from this alone. */
export interface Table<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
  /** The primary key, if it has several columns. */
  readonly primaryKey?: readonly string[];
  readonly withoutRowid?: boolean;
  /**
   * Whether users change the table and every request reads it: see `Database.remember`.
   * Set for a table without a column that refers to environments; all others have it.
   */
  readonly isConfiguration?: boolean;
}

type Given<C extends Columns, From extends Source> = {
  [Name in keyof C]: C[Name] extends Column<SqlValue, From> ? Name : never;
}[keyof C];

type ValueOf<C> = C extends Column<infer Value> ? Value : never;

/** A row of a table. */
export type RowOf<T> =
  T extends Table<infer C>
    ? { readonly [Name in keyof C]: ValueOf<C[Name]> }
    : never;

/** What an insert takes. A column that is left out, or undefined, is null or has its default. */
export type NewRow<C extends Columns> = {
  readonly [Name in Given<C, "given">]: ValueOf<C[Name]>;
} & {
  readonly [Name in Given<C, "optional">]?: ValueOf<C[Name]> | undefined;
};

/** What an update takes. A column that is left out, or undefined, keeps its value. */
export type Change<C extends Columns> = {
  readonly [Name in keyof C]?: ValueOf<C[Name]> | undefined;
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

/** The constraint of a column with the ID of an environment, with which the row is deleted. */
export const OF_ENVIRONMENT = "REFERENCES environments (id) ON DELETE CASCADE";

/** The number of a row: it grows with each new row, and is never used twice. */
export const seq = (): Column<number, "generated"> => ({
  sql: "INTEGER PRIMARY KEY AUTOINCREMENT",
});

/** The text that a row is found by. */
export const primaryKey = <T extends string = string>(): Column<
  T,
  "given"
> => ({
  sql: "TEXT PRIMARY KEY",
});

/** A text. `rest` is the SQL of its constraints. */
export const text = <T extends string = string>(
  rest?: string,
): Column<T, "given"> => ({ sql: sqlOf("TEXT NOT NULL", rest) });

/** A text or null. */
export const textOrNull = <T extends string = string>(
  rest?: string,
): Column<T | null, "optional"> => ({ sql: sqlOf("TEXT", rest) });

/** An integer; 0 and 1 are false and true. */
export const integer = (rest?: string): Column<number, "given"> => ({
  sql: sqlOf("INTEGER NOT NULL", rest),
});

/** An integer that is 0 until it is given. */
export const integerOrZero = (): Column<number, "optional"> => ({
  sql: "INTEGER NOT NULL DEFAULT 0",
});

/** An integer or null. */
export const integerOrNull = (
  rest?: string,
): Column<number | null, "optional"> => ({ sql: sqlOf("INTEGER", rest) });

/** A number. */
export const real = (): Column<number, "given"> => ({ sql: "REAL NOT NULL" });

/** A number or null. */
export const realOrNull = (): Column<number | null, "optional"> => ({
  sql: "REAL",
});

/** A column that a later step than the table's own adds with `addColumn`. */
export const added = <C extends Column>(column: C): C => ({
  ...column,
  isAdded: true,
});

/** The SQL that makes a table, without the columns that later steps add. */
export function createTable({
  name,
  columns,
  primaryKey: key,
  withoutRowid,
}: Table): string {
  const lines = Object.entries(columns)
    .filter(([, { isAdded }]) => !isAdded)
    .map(([column, { sql }]) => `${column} ${sql}`);
  if (key) lines.push(`PRIMARY KEY (${key.join(", ")})`);
  const options = withoutRowid ? "STRICT, WITHOUT ROWID" : "STRICT";
  return `CREATE TABLE ${name} (\n    ${lines.join(",\n    ")}\n  ) ${options};`;
}

/** The SQL that adds a column to a table that exists. */
export function addColumn<C extends Columns>(
  { name, columns }: Table<C>,
  column: keyof C & string,
): string {
  return `ALTER TABLE ${name} ADD COLUMN ${column} ${columns[column]?.sql};`;
}

function sqlOf(type: string, rest: string | undefined): string {
  return rest === undefined ? type : `${type} ${rest}`;
}
