import type { Region } from "@devid/sdk";
import { z } from "zod";
import {
  type Column,
  type Columns,
  defineTable,
  seq,
  type SqlValue,
  type Table,
  text,
} from "./table";

/** The constraint of a column with the ID of an environment, with which the row is deleted. */
export const OF_ENVIRONMENT = "REFERENCES environments (id) ON DELETE CASCADE";

/** The columns of every record of the management API, whatever its wire schema says. */
const EVERY_RECORD = {
  seq: seq(),
  id: text("UNIQUE"),
  workspace: text<Region>(),
  created_at: text(),
};

/** What is stored for a field: a boolean as 0 or 1, an object or a list as JSON. */
type Stored<T> = T extends string
  ? T
  : T extends number | boolean
    ? number
    : string;

/** The column of a field: given for a required field, and nullable for any other. */
type ColumnOf<T> = undefined extends T
  ? NullableColumn<T>
  : null extends T
    ? NullableColumn<T>
    : Column<Stored<T>, "given", T>;

type NullableColumn<T> = Column<Stored<NonNullable<T>> | null, "optional", T>;

/** The columns of a table of records: those of every record, of its schema, and its own. */
type RecordColumns<S extends z.core.$ZodShape, Own extends Columns> = Omit<
  typeof EVERY_RECORD,
  keyof Own
> & {
  readonly [
    Name in Exclude<keyof S & string, keyof typeof EVERY_RECORD | keyof Own>
  ]: ColumnOf<z.output<S[Name]>>;
} & Own;

/** A table of records of the management API. */
export interface RecordsTable<C extends Columns = Columns> extends Table<C> {
  /**
   * The beginning of its IDs, such as `wh`. All are those of docs/contract.md, except
   * `ek` of encryption keys, which is our own choice.
   */
  readonly idPrefix: string;
}

/**
 * Declares the table of a kind of record. It has a column for each field of the record's
 * wire schema; a field `environment` refers to environments. `own` has the columns that
 * the schema does not have, or that need more constraints.
 */
export function defineRecords<
  S extends z.core.$ZodShape,
  const Own extends Columns,
>(
  name: string,
  idPrefix: string,
  record: z.ZodObject<S>,
  own: Own,
): RecordsTable<RecordColumns<S, Own>> {
  const derived = Object.entries(record.shape).map(([field, schema]) => [
    field,
    { sql: sqlOf(field, schema) },
  ]);
  // The type names the same columns.
  const columns = {
    ...Object.fromEntries(derived),
    ...EVERY_RECORD,
    ...own,
  } as RecordColumns<S, Own>;
  return {
    ...defineTable(name, columns),
    idPrefix,
  };
}

function sqlOf(field: string, schema: z.core.$ZodType): string {
  const isNullable = [null, undefined].some(
    (value) => z.safeParse(schema, value).success,
  );
  return [
    SQL_TYPES[typeOf(schema)],
    ...(isNullable ? [] : ["NOT NULL"]),
    ...(field === "environment" ? [OF_ENVIRONMENT] : []),
  ].join(" ");
}

const SQL_TYPES = {
  text: "TEXT",
  number: "REAL",
  boolean: "INTEGER",
  json: "TEXT",
} as const;

/** What a field has, if it is not null. */
function typeOf(schema: z.core.$ZodType): keyof typeof SQL_TYPES {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
      return typeOf(def.innerType);
    case "string":
    case "enum":
      return "text";
    case "boolean":
      return "boolean";
    case "number":
      return "number";
    case "union": {
      const types = new Set(def.options.map(typeOf));
      const [only = "json"] = types;
      return types.size === 1 ? only : "json";
    }
    default:
      return "json";
  }
}

/** The record of a row: the fields of a wire schema that the row has. */
export function recordOf<S extends z.core.$ZodShape>(
  record: z.ZodObject<S>,
  row: Readonly<Record<string, SqlValue>>,
): z.output<z.ZodObject<S>> {
  const fields = fieldsOf(record).flatMap(([field, type]) => {
    const value = row[field];
    return value === undefined ? [] : [[field, read(type, value)]];
  });
  // The columns were made from the same schema.
  return Object.fromEntries(fields) as z.output<z.ZodObject<S>>;
}

type FieldType = ReturnType<typeof typeOf>;

const fieldTypes = new WeakMap<z.ZodObject, readonly [string, FieldType][]>();

/** The fields of a schema, which are found once. */
function fieldsOf(record: z.ZodObject): readonly [string, FieldType][] {
  const known = fieldTypes.get(record);
  if (known) return known;
  const found = Object.entries<z.core.$ZodType>(record.shape).map(
    ([field, schema]): [string, FieldType] => [field, typeOf(schema)],
  );
  fieldTypes.set(record, found);
  return found;
}

function read(type: FieldType, value: SqlValue): unknown {
  if (value === null) return null;
  if (type === "boolean") return value === 1;
  return type === "json" ? JSON.parse(String(value)) : value;
}
