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

/** The visitors of all workspaces. */
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

  /** Deletes a visitor with its traces, so that it is a new one next time. */
  delete(workspace: Region, visitor_id: string): void {
    this.db.delete("visitors", { visitor_id, workspace });
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
}

/**
 * The High Recall IDs of all workspaces (docs/contract.md, "Event record"). Each ID
 * keeps the traces of every browser that had it. An ID is deleted with the last visitor
 * that has it.
 */
export class HighRecallIds {
  constructor(private readonly db: Db) {}

  /** The ID with this number. Without a number, the ID of a browser with this trace. */
  find(
    workspace: Region,
    seq: number | null,
    trace: string | undefined,
  ): HighRecallRow | undefined {
    return (
      this.db.find<HighRecallRow>("high_recall_ids", { seq })[0] ??
      this.db.get(
        `SELECT high_recall_ids.* FROM high_recall_traces
           JOIN high_recall_ids ON seq = high_recall
          WHERE high_recall_traces.workspace = ? AND trace = ?`,
        ...[workspace, trace ?? null],
      )
    );
  }

  /** Adds a new ID. */
  add(workspace: Region, nowMs: number): HighRecallRow {
    return this.db.add<HighRecallRow>("high_recall_ids", {
      workspace,
      visitor_id: newVisitorId(),
      first_seen_at: nowMs,
      last_seen_at: nowMs,
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
    const seen = { last_seen_at: nowMs };
    this.db.update<HighRecallRow>("high_recall_ids", { seq }, seen);
    if (visitor.high_recall !== seq) {
      const has = { high_recall: seq };
      this.db.update<VisitorRow>("visitors", { seq: visitor.seq }, has);
    }
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

/** How long a request that was carried out is kept: the longest time range of the quota. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * The visitors that are to be deleted, and the recent requests that count against the
 * quota.
 */
export class VisitorDeletions {
  constructor(private readonly db: Db) {}

  /** Adds a visitor that is to be deleted at a time. */
  add(
    workspace: Region,
    visitorId: string,
    nowMs: number,
    dueMs: number,
  ): void {
    this.db.run(
      "DELETE FROM visitor_deletions WHERE due_at IS NULL AND asked_at <= ?",
      nowMs - KEPT_MS,
    );
    this.db.insert<object>("visitor_deletions", {
      ...{ workspace, visitor_id: visitorId },
      ...{ asked_at: nowMs, due_at: dueMs },
    });
  }

  /**
   * The time of the `howMany`-th last request for a deletion; undefined if there are
   * fewer requests. Requests in the future, which exist after the clock was moved back,
   * do not count.
   */
  askedAt(
    workspace: Region,
    howMany: number,
    nowMs: number,
  ): number | undefined {
    return this.db.value(
      `SELECT asked_at FROM visitor_deletions
        WHERE workspace = ? AND asked_at <= ?
        ORDER BY asked_at DESC LIMIT 1 OFFSET ?`,
      workspace,
      nowMs,
      howMany - 1,
    );
  }

  /** The deletion that has been due for the longest time, if any is due. */
  firstDue(nowMs: number): VisitorDeletion | undefined {
    return this.db.get(
      `SELECT seq, workspace, visitor_id, asked_at FROM visitor_deletions
        WHERE due_at <= ? ORDER BY due_at, seq LIMIT 1`,
      nowMs,
    );
  }

  /** Makes every deletion due at this time at the latest. */
  dueBy(timeMs: number): void {
    this.db.run(
      "UPDATE visitor_deletions SET due_at = ? WHERE due_at > ?",
      timeMs,
      timeMs,
    );
  }

  /** Notes that a deletion is done, and removes the visitor's ID. */
  carriedOut(seq: number): void {
    const change = { visitor_id: null, due_at: null };
    this.db.update("visitor_deletions", { seq }, change);
  }
}

/**
 * Which visitors are browsers of one mobile device. Control calls set this, because a
 * visit does not show it.
 */
export class RelatedVisitors {
  constructor(private readonly db: Db) {}

  /**
   * Makes these visitors, and no others, the browsers of one device. Each visitor
   * leaves its earlier device.
   */
  set(workspace: Region, visitorIds: readonly string[]): void {
    const device = newStorageId();
    this.db.tx(() => {
      for (const visitorId of visitorIds)
        this.db.run(
          "INSERT OR REPLACE INTO related_visitors VALUES (?, ?, ?)",
          workspace,
          visitorId,
          device,
        );
    });
  }

  /** The other visitors of the same device, in the order of their IDs. */
  of(workspace: Region, visitorId: string): string[] {
    const rows = this.db.all<{ visitor_id: string }>(
      `SELECT visitor_id FROM related_visitors
        WHERE workspace = ?1 AND visitor_id <> ?2 AND device =
          (SELECT device FROM related_visitors WHERE workspace = ?1 AND visitor_id = ?2)
        ORDER BY visitor_id`,
      workspace,
      visitorId,
    );
    return rows.map(({ visitor_id }) => visitor_id);
  }

  delete(workspace: Region, visitor_id: string): void {
    this.db.delete("related_visitors", { workspace, visitor_id });
  }
}
