import type { Region } from "@devid/sdk";
import type { Database } from "../database/database";
import { VISITOR_DELETIONS } from "../database/schema";
import type { RowOf } from "../database/table";

/** A visitor that is to be deleted. */
export type VisitorDeletion = Omit<
  RowOf<typeof VISITOR_DELETIONS>,
  "due_at" | "visitor_id"
> & { readonly visitor_id: string };

/** How long a request that was carried out is kept: the longest time range of the quota. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * The visitors that are to be deleted, and the recent requests that count against the
 * quota.
 */
export class VisitorDeletions {
  constructor(private readonly db: Database) {}

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
    this.db.insert(VISITOR_DELETIONS, {
      workspace,
      visitor_id: visitorId,
      asked_at: nowMs,
      due_at: dueMs,
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

  /** When the next deletion is due; undefined if no deletion waits. */
  nextDueMs(): number | undefined {
    const due = this.db.value<number | null>(
      "SELECT min(due_at) FROM visitor_deletions",
    );
    return due ?? undefined;
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
    this.db.update(VISITOR_DELETIONS, seq, { visitor_id: null, due_at: null });
  }
}
