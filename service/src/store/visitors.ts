import type { Region } from "@devid/sdk";
import { newStorageId, newVisitorId } from "../identity";
import type { Db } from "./db";

/** A stored visitor. All environments of a workspace share its visitors. */
export interface VisitorRow {
  readonly seq: number;
  readonly workspace: Region;
  readonly visitor_id: string;
  /** The ID that the visitor's browser keeps. It reveals nothing about the visitor. */
  readonly storage_id: string;
  /** The digest of the device of the last visit. */
  readonly device: string | null;
  readonly first_seen_at: number;
  /** The time of the last visit, or of the first one. */
  readonly last_seen_at: number;
  /** The `seq` of the visitor's High Recall ID. Null for an app. */
  readonly high_recall: number | null;
}

/** A High Recall ID. */
type HighRecallRow = Omit<VisitorRow, "storage_id" | "device" | "high_recall">;

/** A visitor that is to be deleted. */
export interface VisitorDeletion {
  readonly seq: number;
  readonly workspace: Region;
  readonly visitor_id: string;
  /** When the deletion was asked for. */
  readonly asked_at: number;
}

/** The traces by which a visitor is recognised. */
interface VisitorTraces {
  readonly storageId: string | undefined;
  /** The digest of the device; undefined if nothing is known about the device. */
  readonly device: string | undefined;
}

/** How long a request that was carried out is kept: the longest time range of the quota. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * The visitors of all workspaces, their High Recall IDs (docs/contract.md, "Event
 * record"), and what is asked about them.
 */
export class Visitors {
  constructor(private readonly db: Db) {}

  /** The visitor with this storage ID. Without one, the last visitor with this device. */
  find(
    workspace: Region,
    { storageId, device }: VisitorTraces,
  ): VisitorRow | undefined {
    const last = "ORDER BY last_seen_at DESC, seq DESC LIMIT 1";
    const equal = (traces: object) =>
      this.db.find<VisitorRow>("visitors", { workspace, ...traces }, last)[0];
    // Nothing equals null.
    return (
      equal({ storage_id: storageId ?? null }) ??
      equal({ device: device ?? null })
    );
  }

  /** Adds a new visitor. */
  add(
    workspace: Region,
    device: string | undefined,
    nowMs: number,
  ): VisitorRow {
    return this.db.add<VisitorRow>("visitors", {
      workspace,
      visitor_id: newVisitorId(),
      storage_id: newStorageId(),
      device: device ?? null,
      first_seen_at: nowMs,
      last_seen_at: nowMs,
    });
  }

  has(workspace: Region, visitor_id: string): boolean {
    return this.db.find("visitors", { visitor_id, workspace }).length > 0;
  }

  /**
   * Deletes a visitor with its traces, so that it is a new one next time. A High Recall
   * ID is deleted with the last visitor that has it.
   */
  delete(workspace: Region, visitor_id: string): void {
    this.db.delete("visitors", { visitor_id, workspace });
    this.db.delete("related_visitors", { workspace, visitor_id });
  }

  /**
   * Stores the time of a visit and its device. An update of the browser changes the
   * device.
   */
  seen(
    { seq, device: known }: VisitorRow,
    device: string | undefined,
    nowMs: number,
  ): void {
    this.db.update<VisitorRow>(
      "visitors",
      { seq },
      {
        last_seen_at: nowMs,
        // SQLite writes the index even if the assigned value is the old one.
        device: device === known ? undefined : device,
      },
    );
  }

  /**
   * The High Recall ID of a visitor as it was before this visit, and whether it was
   * known. A known visitor keeps their ID. A new visitor gets the ID of a browser with the
   * same trace, or a new ID. Each ID keeps the traces of every browser that had it; a
   * trace that already belongs to an ID stays with that ID.
   */
  recall(
    { workspace, seq: visitor, high_recall }: VisitorRow,
    trace: string | undefined,
    nowMs: number,
  ): HighRecallRow & { readonly isKnown: boolean } {
    const found =
      this.db.find<HighRecallRow>("high_recall_ids", { seq: high_recall })[0] ??
      this.db.get<HighRecallRow>(
        `SELECT high_recall_ids.* FROM high_recall_traces
           JOIN high_recall_ids ON seq = high_recall
          WHERE high_recall_traces.workspace = ? AND trace = ?`,
        ...[workspace, trace ?? null],
      );
    const row =
      found ??
      this.db.add<HighRecallRow>("high_recall_ids", {
        workspace,
        visitor_id: newVisitorId(),
        first_seen_at: nowMs,
        last_seen_at: nowMs,
      });
    const { seq } = row;
    const seen = { last_seen_at: nowMs };
    this.db.update<HighRecallRow>("high_recall_ids", { seq }, seen);
    if (high_recall !== seq) {
      const has = { high_recall: seq };
      this.db.update<VisitorRow>("visitors", { seq: visitor }, has);
    }
    if (trace !== undefined)
      this.db.run(
        `INSERT INTO high_recall_traces (workspace, trace, high_recall)
         VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
        ...[workspace, trace, seq],
      );
    return { ...row, isKnown: found !== undefined };
  }

  /** Asks for the deletion of a visitor at a time. */
  askDeletion(
    workspace: Region,
    visitor_id: string,
    nowMs: number,
    dueMs: number,
  ): void {
    this.db.run(
      "DELETE FROM visitor_deletions WHERE due_at IS NULL AND asked_at <= ?",
      nowMs - KEPT_MS,
    );
    const times = { asked_at: nowMs, due_at: dueMs };
    const row = { workspace, visitor_id, ...times };
    this.db.insert<VisitorDeletion & typeof times>("visitor_deletions", row);
  }

  /**
   * The time of the `howMany`-th last request for a deletion; undefined if there are
   * fewer requests. Requests in the future, which exist after the clock was moved back,
   * do not count.
   */
  deletionAskedAt(
    workspace: Region,
    howMany: number,
    nowMs: number,
  ): number | undefined {
    return this.db.value(
      `SELECT asked_at FROM visitor_deletions
        WHERE workspace = ? AND asked_at <= ?
        ORDER BY asked_at DESC LIMIT 1 OFFSET ?`,
      ...[workspace, nowMs, howMany - 1],
    );
  }

  /** The deletion that has been due for the longest time, if any is due. */
  firstDeletionDue(nowMs: number): VisitorDeletion | undefined {
    return this.db.get(
      `SELECT seq, workspace, visitor_id, asked_at FROM visitor_deletions
        WHERE due_at <= ? ORDER BY due_at, seq LIMIT 1`,
      nowMs,
    );
  }

  /** Makes every deletion due at this time at the latest. */
  deletionsDueBy(timeMs: number): void {
    this.db.run(
      "UPDATE visitor_deletions SET due_at = ?1 WHERE due_at > ?1",
      timeMs,
    );
  }

  /** Notes that a deletion is done, and removes the visitor's ID. */
  deletionDone(seq: number): void {
    const change = { visitor_id: null, due_at: null };
    this.db.update("visitor_deletions", { seq }, change);
  }

  /**
   * Makes these visitors, and no others, the browsers of one mobile device. Each visitor
   * leaves its earlier device. A control call says so, because a visit does not show it.
   */
  relate(workspace: Region, visitorIds: readonly string[]): void {
    this.db.run(
      `INSERT OR REPLACE INTO related_visitors
       SELECT ?, value, ? FROM json_each(?)`,
      ...[workspace, newStorageId(), JSON.stringify(visitorIds)],
    );
  }

  /** The other visitors of the same device, in the order of their IDs. */
  relatedTo(workspace: Region, visitorId: string): string[] {
    const rows = this.db.all<{ visitor_id: string }>(
      `SELECT visitor_id FROM related_visitors
        WHERE workspace = ?1 AND visitor_id <> ?2 AND device =
          (SELECT device FROM related_visitors WHERE workspace = ?1 AND visitor_id = ?2)
        ORDER BY visitor_id`,
      ...[workspace, visitorId],
    );
    return rows.map(({ visitor_id }) => visitor_id);
  }
}
