import type { Region } from "@devid/sdk";
import type { Clock } from "../../clock";
import type { Database, SqlValue } from "../database/database";

/** The tables whose records the management API reads and changes by ID. */
type Table =
  | "api_keys"
  | "webhooks"
  | "encryption_keys"
  | "environments"
  | "filtering_rules";

/** What the tables of the management API have in common. */
export abstract class RecordTable<Row> {
  protected abstract readonly table: Table;

  constructor(
    protected readonly db: Database,
    protected readonly clock: Clock,
  ) {}

  get(workspace: Region, id: string): Row | undefined {
    return this.db.get(
      `SELECT * FROM ${this.table} WHERE workspace = ? AND id = ?`,
      workspace,
      id,
    );
  }

  /** How many records a workspace has, or how many whose columns have the given values. */
  count(
    workspace: Region,
    equal: Partial<Record<keyof Row & string, SqlValue>> = {},
  ): number {
    const conditions = Object.keys(equal).map((column) => ` AND ${column} = ?`);
    const row = this.db.get<{ n: number }>(
      `SELECT count(*) AS n FROM ${this.table} WHERE workspace = ?${conditions.join("")}`,
      workspace,
      ...Object.values<SqlValue | undefined>(equal).map(
        (value) => value ?? null,
      ),
    );
    return row?.n ?? 0;
  }

  /**
   * Removes a record for good, and with it everything that refers to it by a
   * foreign key. Answers whether there was one.
   */
  remove(workspace: Region, id: string): boolean {
    return (
      this.db.run(
        `DELETE FROM ${this.table} WHERE workspace = ? AND id = ?`,
        workspace,
        id,
      ) > 0
    );
  }
}
