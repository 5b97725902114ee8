import type { Region } from "@devid/sdk";
import type { Clock } from "../../clock";
import { newId } from "../../identity";
import type { Database } from "../database/database";
import { type Page, type Place, readPage } from "../database/page";
import type { RecordsTable } from "../database/record-columns";
import type {
  Change,
  Columns,
  NewRow,
  RowOf,
  SqlValue,
  Table,
} from "../database/table";

/** Columns and the values that a row must have in them; undefined allows any. */
export type Equal<Row> = {
  readonly [Name in keyof Row]?: Row[Name] | undefined;
};

/** The records of a kind. A kind with operations of its own has a class over this one. */
export class RecordTable<C extends Columns> {
  constructor(
    protected readonly db: Database,
    protected readonly clock: Clock,
    readonly table: RecordsTable<C>,
  ) {}

  /** Adds a record with a new ID. */
  add(
    workspace: Region,
    values: Omit<NewRow<C>, "id" | "workspace" | "created_at">,
  ): RowOf<Table<C>> {
    const id = newId(this.table);
    const row = { ...values, id, workspace, created_at: this.clock.now() };
    // Every table of records has the columns that are added here.
    return this.db.insert(this.table, row as unknown as NewRow<C>);
  }

  /** Changes the properties of a record that `change` returns for its old ones. */
  change(
    workspace: Region,
    id: string,
    change: (old: RowOf<Table<C>>) => Change<C>,
  ): RowOf<Table<C>> | undefined {
    const old = this.get(workspace, id);
    const values = old && change(old);
    if (!values || Object.keys(values).length === 0) return old;
    const { seq } = old as unknown as { readonly seq: number };
    return this.db.update(this.table, seq, values);
  }

  get(workspace: Region, id: string): RowOf<Table<C>> | undefined {
    return this.db.get(
      `SELECT * FROM ${this.table.name} WHERE workspace = ? AND id = ?`,
      workspace,
      id,
    );
  }

  /** A page of the records whose columns have the given values, in the order of creation. */
  page(
    workspace: Region,
    equal: Equal<RowOf<Table<C>>>,
    place: Place,
    limit: number,
  ): Page<RowOf<Table<C>>> {
    const { name } = this.table;
    return readPage(this.db, name, { workspace, ...equal }, place, limit);
  }

  /** How many records of a workspace have the given values in their columns. */
  count(workspace: Region, equal: Equal<RowOf<Table<C>>> = {}): number {
    const conditions = Object.keys(equal).map((column) => ` AND ${column} = ?`);
    const count = this.db.value<number>(
      `SELECT count(*) FROM ${this.table.name} WHERE workspace = ?${conditions.join("")}`,
      workspace,
      ...Object.values(equal as Record<string, SqlValue>),
    );
    return count ?? 0;
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
