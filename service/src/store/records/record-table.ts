import type { Region } from "@devid/sdk";
import type { Clock } from "../../clock";
import type { Database } from "../database/database";
import { type Page, type Place, readPage } from "../database/page";
import type { SqlValue, Table } from "../database/table";

/** Columns and the values that a row must have in them; undefined allows any. */
export type Equal<Row> = {
  readonly [Name in keyof Row]?: Row[Name] | undefined;
};

/** The operations that all tables of the management API share. */
export abstract class RecordTable<Row extends { readonly seq: number }> {
  abstract readonly table: Table;

  constructor(
    protected readonly db: Database,
    protected readonly clock: Clock,
  ) {}

  get(workspace: Region, id: string): Row | undefined {
    return this.db.get(
      `SELECT * FROM ${this.table.name} WHERE workspace = ? AND id = ?`,
      workspace,
      id,
    );
  }

  /** A page of the records whose columns have the given values, in the order of creation. */
  page(
    workspace: Region,
    equal: Equal<Row>,
    place: Place,
    limit: number,
  ): Page<Row> {
    const { name } = this.table;
    return readPage(this.db, name, { workspace, ...equal }, place, limit);
  }

  /** How many records of a workspace have the given values in their columns. */
  count(workspace: Region, equal: Equal<Row> = {}): number {
    const conditions = Object.keys(equal).map((column) => ` AND ${column} = ?`);
    const row = this.db.get<{ n: number }>(
      `SELECT count(*) AS n FROM ${this.table.name} WHERE workspace = ?${conditions.join("")}`,
      workspace,
      ...Object.values(equal as Record<string, SqlValue>),
    );
    return row?.n ?? 0;
  }

  /**
   * Removes a record for good, and with it everything that refers to it by a foreign
   * key. Returns whether the record existed.
   */
  remove(workspace: Region, id: string): boolean {
    return (
      this.db.run(
        `DELETE FROM ${this.table.name} WHERE workspace = ? AND id = ?`,
        workspace,
        id,
      ) > 0
    );
  }
}
