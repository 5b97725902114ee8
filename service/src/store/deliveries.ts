import type { Region } from "@devid/sdk";
import { z } from "zod";
import type { Db } from "./db";
import type { SqlValue } from "./sql-value";
import { BoundedLog, type LogBounds } from "./bounded-log";

/** How much of the deliveries that have ended is kept. */
export const ENDED_DELIVERIES_KEPT: LogBounds = {
  rows: 20_000,
  bytes: 32_000_000,
};

/**
 * Bounds of the deliveries that wait for one webhook. Each webhook has its own bounds,
 * so that a webhook that does not answer takes no room from others.
 */
export const PENDING_DELIVERIES_KEPT = {
  rows: 10_000,
  bytes: 32_000_000,
  ageMs: 7 * 24 * 3_600_000,
} as const;

const FULL = `${PENDING_DELIVERIES_KEPT.rows} deliveries or ${PENDING_DELIVERIES_KEPT.bytes / 1_000_000} MB already wait for this webhook, which is the maximum.`;

/** An attempt of a delivery, as control calls and the console show it. */
export const DeliveryAttempt = z.object({
  attempt: z.int(),
  /** Whether it is not the first attempt. */
  retry: z.boolean(),
  at: z.string(),
  url: z.string(),
  signature: z.string(),
  took_ms: z.number().nullable(),
  status: z.int().nullable(),
  answer: z
    .object({ headers: z.record(z.string(), z.unknown()), body: z.string() })
    .nullable(),
  error: z.string().nullable(),
});
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>;

/** A delivery and its attempts, as control calls and the console show it. */
export const Delivery = z.object({
  n: z.int(),
  /** ID of the webhook, which may have been deleted since. */
  webhook: z.string(),
  /** An event, or the test event of a verification. */
  kind: z.enum(["event", "test"]),
  event_id: z.string(),
  /**
   * `dropped`: its webhook was deleted, disabled or no longer verified when the
   * delivery was due. `given_up`: too much waited for its webhook, or it was not sent
   * in time.
   */
  state: z.enum([
    "pending",
    "sending",
    "delivered",
    "failed",
    "dropped",
    "given_up",
  ]),
  /** Why the delivery was given up; null in any other state. */
  reason: z.string().nullable(),
  made_at: z.string(),
  due_at: z.string().nullable(),
  /** The text that every attempt sends. */
  body: z.string(),
  attempts: z.array(DeliveryAttempt),
});
export type Delivery = z.output<typeof Delivery>;

/** A stored delivery. Its times are Unix milliseconds. */
export interface DeliveryRow extends Omit<
  Delivery,
  "n" | "made_at" | "due_at" | "attempts"
> {
  readonly seq: number;
  readonly workspace: Region;
  readonly made_at: number;
  readonly due_at: number | null;
  readonly ended_at: number | null;
}

/** A stored attempt of a delivery. */
interface AttemptRow extends Omit<DeliveryAttempt, "retry" | "at" | "answer"> {
  readonly delivery: number;
  readonly at: number;
  /** JSON of an object that maps names of headers to their values. */
  readonly answer_headers: string | null;
  readonly answer_body: string | null;
}

type DeliveryEnd = Exclude<DeliveryRow["state"], "pending" | "sending">;

/** A new delivery. */
export type NewDelivery = Pick<
  DeliveryRow,
  "workspace" | "webhook" | "kind" | "event_id" | "body" | "made_at"
>;

/** The pending deliveries of a webhook. */
export interface Queue {
  readonly webhook: string;
  /** When the first of these deliveries is due. */
  readonly due_at: number;
}

type NewAttempt = Pick<AttemptRow, "attempt" | "url" | "signature" | "at">;

/** The end of an attempt: an answer or an error. */
export type AttemptEnd = Omit<AttemptRow, keyof NewAttempt | "delivery">;

/** The end of an attempt that was not answered. */
export const noAnswer = (
  error: string,
  took_ms: number | null = null,
): AttemptEnd => ({
  took_ms,
  status: null,
  answer_headers: null,
  answer_body: null,
  error,
});

/** The columns of a delivery without its body. */
const COLUMNS =
  "seq, workspace, webhook, kind, event_id, state, made_at, due_at, ended_at, reason";

/** Deliveries to webhooks and their attempts (docs/contract.md, "Webhook delivery"). */
export class Deliveries extends BoundedLog {
  constructor(db: Db) {
    super(db, "deliveries", "ended_at", "kind = 'event'");
  }

  /**
   * Adds a delivery that is due at once, and returns it. If too much already waits for
   * the webhook, the delivery is given up instead.
   */
  add(delivery: NewDelivery): DeliveryRow {
    const { webhook, made_at } = delivery;
    const size = Buffer.byteLength(delivery.body);
    return this.db.tx(() => {
      const isFull = !this.hasRoom(webhook, size);
      const row = this.db.add<DeliveryRow & { size: number; written: number }>(
        "deliveries",
        {
          ...delivery,
          size,
          written: this.written() + size,
          ...(isFull
            ? { state: "given_up", ended_at: made_at, reason: FULL }
            : { state: "pending", due_at: made_at }),
        },
      );
      this.dropOld(ENDED_DELIVERIES_KEPT);
      return row;
    });
  }

  /** Whether a delivery of this size may wait for a webhook. One alone always may. */
  private hasRoom(webhook: string, bytes: number): boolean {
    const waiting = this.db.get<Pick<LogBounds, "rows" | "bytes">>(
      `SELECT count(*) AS rows, coalesce(sum(size), 0) AS bytes
         FROM deliveries WHERE state = 'pending' AND webhook = ?`,
      webhook,
    );
    if (!waiting || waiting.rows === 0) return true;
    const { rows, bytes: most } = PENDING_DELIVERIES_KEPT;
    return waiting.rows < rows && waiting.bytes + bytes <= most;
  }

  /**
   * The webhooks with pending deliveries, and when the first delivery of each webhook
   * is due.
   */
  queues(): Queue[] {
    // The query takes one step in the index for each webhook, for any number of
    // deliveries.
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
    return this.where(
      "state = 'pending' AND webhook = ? AND due_at <= ? ORDER BY due_at, seq LIMIT ?",
      ...[webhook, nowMs, limit],
    );
  }

  /** All deliveries that are under way, in the order of their creation. */
  underWay(): DeliveryRow[] {
    return this.where("state = 'sending' ORDER BY seq");
  }

  /** The deliveries of a workspace with a higher number, the oldest first. */
  since(workspace: Region, seq: number, limit: number): DeliveryRow[] {
    return this.where(
      "workspace = ? AND seq > ? ORDER BY seq LIMIT ?",
      ...[workspace, seq, limit],
    );
  }

  get(seq: number): DeliveryRow | undefined {
    return this.where("seq = ?", seq)[0];
  }

  /** The deliveries that meet a condition, which may be followed by an order and a limit. */
  private where(condition: string, ...values: SqlValue[]): DeliveryRow[] {
    return this.db.all(
      `SELECT ${COLUMNS}, body FROM deliveries WHERE ${condition}`,
      ...values,
    );
  }

  /** Lets a delivery wait for its next attempt. */
  postpone(seq: number, dueMs: number): void {
    this.set(seq, { state: "pending", due_at: dueMs });
  }

  /** Ends a delivery for good. `reason` says why a delivery is given up. */
  close(
    seq: number,
    state: DeliveryEnd,
    nowMs: number,
    reason: string | null = null,
  ): void {
    this.set(seq, { state, due_at: null, ended_at: nowMs, reason });
  }

  private set(seq: number, change: Partial<DeliveryRow>): void {
    this.db.update<DeliveryRow>("deliveries", { seq }, change);
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
   * about it. Its delivery is then under way.
   */
  begin(delivery: number, attempt: NewAttempt): void {
    this.set(delivery, { state: "sending", due_at: null });
    this.db.insert<AttemptRow>("delivery_attempts", { delivery, ...attempt });
  }

  end(delivery: number, attempt: number, end: AttemptEnd): void {
    this.db.update<AttemptRow>("delivery_attempts", { delivery, attempt }, end);
  }

  /** The attempts of a delivery, in their order. */
  attempts(delivery: number): DeliveryAttempt[] {
    const order = "ORDER BY attempt";
    return this.db
      .find<AttemptRow>("delivery_attempts", { delivery }, order)
      .map(({ delivery: _, at, answer_headers, answer_body, ...row }) => ({
        ...row,
        retry: row.attempt > 1,
        at: new Date(at).toISOString(),
        // The text was written when the answer came.
        answer:
          answer_headers === null
            ? null
            : {
                headers: JSON.parse(answer_headers) as Record<string, unknown>,
                body: answer_body ?? "",
              },
      }));
  }

  /** A delivery as control calls and the console show it. */
  shown(delivery: DeliveryRow): Delivery {
    const { seq: n, workspace: _, ended_at: __, ...row } = delivery;
    return {
      n,
      ...row,
      made_at: new Date(row.made_at).toISOString(),
      due_at: row.due_at === null ? null : new Date(row.due_at).toISOString(),
      attempts: this.attempts(n),
    };
  }

  /** The last deliveries of these workspaces, the newest first, without their bodies. */
  latest(
    workspaces: readonly Region[],
    limit: number,
  ): Omit<DeliveryRow, "body">[] {
    return workspaces
      .flatMap((workspace) =>
        this.db.all<DeliveryRow>(
          `SELECT ${COLUMNS} FROM deliveries WHERE workspace = ?
            ORDER BY seq DESC LIMIT ?`,
          workspace,
          limit,
        ),
      )
      .sort((a, b) => b.seq - a.seq)
      .slice(0, limit);
  }
}
