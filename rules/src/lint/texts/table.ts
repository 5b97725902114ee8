import { keepingResults } from "../../keeping-results";

/** Rows about the same parts of a request, each under a sentence that says what is true of them. */
interface Rows<Row> {
  /** Headers and fields; none stands for all. */
  readonly of: readonly string[];
  readonly rows: Readonly<Record<string, Row>>;
}

/** Rows of a table. Those of one part are looked at in the order of the table. */
export type Table<Row> = readonly Rows<Row>[];

/** Rows about some headers and fields, or about all if none is named. */
export const about = <Row>(
  of: readonly string[],
  rows: Readonly<Record<string, Row>>,
): Rows<Row> => ({ of, rows });

/** The rows about a part, each with its sentence. */
export const rowsOf = <Row>(table: Table<Row>) =>
  keepingResults(1_000, (part): readonly (readonly [string, Row])[] =>
    table
      .filter(({ of }) => of.length === 0 || of.includes(part))
      .flatMap(({ rows }) => Object.entries(rows)),
  );
