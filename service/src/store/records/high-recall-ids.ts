import type { Region } from "@devid/sdk";
import { newVisitorId } from "../../identity";
import type { Database } from "../database/database";
import { HIGH_RECALL_IDS, type VisitorRow } from "../database/schema";
import type { RowOf } from "../database/table";

type HighRecallRow = RowOf<typeof HIGH_RECALL_IDS>;

/**
 * The High Recall IDs of all workspaces (docs/contract.md, "Event record"). Each ID
 * keeps the traces of every browser that had it. An ID is deleted with the last visitor
 * that has it.
 */
export class HighRecallIds {
  constructor(private readonly db: Database) {}

  /** The ID with this number. Without a number, the ID of a browser with this trace. */
  find(
    workspace: Region,
    seq: number | null,
    trace: string | undefined,
  ): HighRecallRow | undefined {
    const own =
      seq === null
        ? undefined
        : this.db.get<HighRecallRow>(
            "SELECT * FROM high_recall_ids WHERE seq = ?",
            seq,
          );
    return (
      own ??
      this.db.get(
        `SELECT high_recall_ids.* FROM high_recall_traces
           JOIN high_recall_ids ON seq = high_recall
          WHERE high_recall_traces.workspace = ? AND trace = ?`,
        workspace,
        trace ?? null,
      )
    );
  }

  /** Adds a new ID. */
  add(
    workspace: Region,
    firstSeenAt: number,
    lastSeenAt: number,
  ): HighRecallRow {
    return this.db.insert(HIGH_RECALL_IDS, {
      workspace,
      visitor_id: newVisitorId(),
      first_seen_at: firstSeenAt,
      last_seen_at: lastSeenAt,
    });
  }

  /**
   * Stores a visit of a visitor that has the ID. A trace that already belongs to an ID
   * stays with that ID.
   */
  seen(
    { seq, workspace }: HighRecallRow,
    visitor: VisitorRow,
    trace: string | undefined,
    nowMs: number,
  ): void {
    this.db.run(
      "UPDATE high_recall_ids SET last_seen_at = ? WHERE seq = ?",
      nowMs,
      seq,
    );
    if (visitor.high_recall !== seq)
      this.db.run(
        "UPDATE visitors SET high_recall = ? WHERE seq = ?",
        seq,
        visitor.seq,
      );
    if (trace === undefined) return;
    this.db.run(
      `INSERT INTO high_recall_traces (workspace, trace, high_recall)
       VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
      workspace,
      trace,
      seq,
    );
  }
}
