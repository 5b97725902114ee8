import type { Region } from "@devid/sdk";
import type { Database } from "../database/database";

/** How many finished deliveries are kept in all workspaces together. */
const KEPT = 20_000;

/** What is delivered: an event, or the test event of a verification. */
type DeliveryKind = "event" | "test";

/**
 * The state of a delivery. `dropped` means that its webhook was deleted,
 * disabled or no longer verified when the delivery was due.
 */
type DeliveryState = "pending" | "sending" | "delivered" | "failed" | "dropped";

/** A stored delivery. Times are Unix milliseconds of the service's clock. */
export interface DeliveryRow {
  readonly seq: number;
  readonly workspace: Region;
  /** ID of the webhook, which may have been deleted since. */
  readonly webhook: string;
  readonly kind: DeliveryKind;
  readonly event_id: string;
  /** The text that every attempt sends. */
  readonly body: string;
  readonly state: DeliveryState;
  readonly made_at: number;
  /** When it is due; null unless it is pending. */
  readonly due_at: number | null;
}

/** The pending deliveries of a webhook. */
export interface Queue {
  readonly webhook: string;
  /** When the first of them is due. */
  readonly due_at: number;
}

/** An attempt when it begins. */
interface NewAttempt {
  /** Numbered from 1; every later one is a retry. */
  readonly attempt: number;
  readonly url: string;
  readonly signature: string;
  readonly at: number;
}

/** The end of an attempt: an answer or an error. */
export interface AttemptEnd {
  readonly took_ms: number | null;
  readonly status: number | null;
  /** JSON of an object that maps names of headers to their values. */
  readonly answer_headers: string | null;
  readonly answer_body: string | null;
  readonly error: string | null;
}

/**
 * A stored attempt. It is under way as long as it has neither a status nor an
 * error.
 */
export interface AttemptRow extends NewAttempt, AttemptEnd {
  readonly delivery: number;
}

/** Deliveries to webhooks and their attempts (docs/contract.md, "Webhook delivery"). */
export class Deliveries {
  constructor(private readonly db: Database) {}

  /** Adds a delivery that is due at once. */
  add(delivery: Omit<DeliveryRow, "seq" | "state" | "due_at">): void {
    const { workspace, webhook, kind, event_id, body, made_at } = delivery;
    this.db.run(
      `INSERT INTO deliveries
         (workspace, webhook, kind, event_id, body, state, made_at, due_at)
       VALUES (?, ?, ?, ?, ?, 'pending', ?, ?)`,
      workspace,
      webhook,
      kind,
      event_id,
      body,
      made_at,
      made_at,
    );
    this.db.run(
      `DELETE FROM deliveries
        WHERE seq <= last_insert_rowid() - ? AND state NOT IN ('pending', 'sending')`,
      KEPT,
    );
  }

  /**
   * The webhooks with pending deliveries, and when the first one of each is
   * due.
   */
  queues(): Queue[] {
    // Takes one step in the index for each webhook, however many deliveries
    // wait.
    return this.db.all(
      `WITH RECURSIVE queues (webhook) AS (
         SELECT min(webhook) FROM deliveries WHERE state = 'pending'
         UNION ALL
         SELECT (SELECT min(webhook) FROM deliveries
                  WHERE state = 'pending' AND webhook > queues.webhook)
           FROM queues WHERE webhook IS NOT NULL)
       SELECT webhook, (SELECT min(due_at) FROM deliveries
                         WHERE state = 'pending' AND webhook = queues.webhook) AS due_at
         FROM queues WHERE webhook IS NOT NULL`,
    );
  }

  /**
   * The pending deliveries of a webhook that are due, the longest due first.
   */
  due(webhook: string, nowMs: number, limit: number): DeliveryRow[] {
    return this.db.all(
      `SELECT * FROM deliveries
        WHERE state = 'pending' AND webhook = ? AND due_at <= ?
        ORDER BY due_at, seq LIMIT ?`,
      webhook,
      nowMs,
      limit,
    );
  }

  /** All deliveries in a state, in the order of their creation. */
  inState(state: DeliveryState): DeliveryRow[] {
    return this.db.all(
      "SELECT * FROM deliveries WHERE state = ? ORDER BY seq",
      state,
    );
  }

  /** Sets the state of a delivery, and when a pending one is due. */
  setState(
    seq: number,
    state: DeliveryState,
    dueMs: number | null = null,
  ): void {
    this.db.run(
      "UPDATE deliveries SET state = ?, due_at = ? WHERE seq = ?",
      state,
      dueMs,
      seq,
    );
  }

  /** Makes every pending delivery due at this time at the latest. */
  dueBy(timeMs: number): void {
    this.db.run(
      "UPDATE deliveries SET due_at = ? WHERE state = 'pending' AND due_at > ?",
      timeMs,
      timeMs,
    );
  }

  /**
   * Stores an attempt before it is made, so that a restart after a crash knows
   * about it.
   */
  begin(delivery: number, { attempt, url, signature, at }: NewAttempt): void {
    this.db.run(
      `INSERT INTO delivery_attempts (delivery, attempt, url, signature, at)
       VALUES (?, ?, ?, ?, ?)`,
      delivery,
      attempt,
      url,
      signature,
      at,
    );
  }

  /** Stores the end of an attempt. */
  end(delivery: number, attempt: number, end: AttemptEnd): void {
    this.db.run(
      `UPDATE delivery_attempts
          SET took_ms = ?, status = ?, answer_headers = ?, answer_body = ?, error = ?
        WHERE delivery = ? AND attempt = ?`,
      end.took_ms,
      end.status,
      end.answer_headers,
      end.answer_body,
      end.error,
      delivery,
      attempt,
    );
  }

  /**
   * Deletes the deliveries whose events have been deleted, with their attempts.
   * What has not been sent yet never is.
   */
  deleteWithoutEvent(workspace: Region): void {
    this.db.run(
      `DELETE FROM deliveries
        WHERE workspace = ? AND kind = 'event'
          AND NOT EXISTS (
            SELECT 1 FROM events INDEXED BY events_by_id
             WHERE events.workspace = deliveries.workspace
               AND events.event_id = deliveries.event_id)`,
      workspace,
    );
  }

  /** The attempts of a delivery, in their order. */
  attempts(delivery: number): AttemptRow[] {
    return this.db.all(
      "SELECT * FROM delivery_attempts WHERE delivery = ? ORDER BY attempt",
      delivery,
    );
  }

  /** The deliveries of a workspace with a higher number, the oldest first. */
  since(workspace: Region, seq: number, limit: number): DeliveryRow[] {
    return this.db.all(
      `SELECT * FROM deliveries WHERE workspace = ? AND seq > ?
        ORDER BY seq LIMIT ?`,
      workspace,
      seq,
      limit,
    );
  }

  /** The last deliveries of these workspaces, the newest first. */
  latest(workspaces: readonly Region[], limit: number): DeliveryRow[] {
    return this.db.all(
      `SELECT * FROM deliveries
        WHERE workspace IN (${workspaces.map(() => "?").join()})
        ORDER BY seq DESC LIMIT ?`,
      ...workspaces,
      limit,
    );
  }
}
