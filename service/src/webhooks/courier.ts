import type { Logger } from "pino";
import type { Clock } from "../clock";
import type {
  AttemptEnd,
  DeliveryRow,
  NewDelivery,
  Queue,
} from "../store/deliveries";
import type { Store } from "../store/store";
import {
  type Attempt,
  beginAttempts,
  endAttempt,
  endInterrupted,
  limitRetryWaits,
} from "./attempts";
import { Poster } from "./poster";
import type { Resolve } from "./private-network";

/**
 * How many attempts one webhook may have under way at once. Each webhook has its own
 * limit, so that a slow webhook does not hold up others.
 */
const AT_ONCE = 10;

/** A longer wait could be wrong: the machine's time may jump, and a write may fail. */
const LONGEST_WAIT_MS = 60_000;

/** When the courier tries again after a write has failed, as on a full disk. */
const FAILED_WRITE_WAIT_MS = 1_000;

/** The end of an attempt, with its time by the service's clock. */
interface Ended {
  readonly attempt: Attempt;
  readonly end: AttemptEnd;
  readonly endedMs: number;
}

/**
 * Sends deliveries when they are due by the service's clock (docs/contract.md,
 * "Webhook delivery"). The store has their state, so a service that was killed goes on
 * after its next start.
 */
export class Courier {
  private readonly poster: Poster;
  /** The attempts under way, each with the ID of its webhook. */
  private readonly underWay = new Map<Promise<void>, string>();
  /** Attempts that have ended, and whose end is not stored yet. */
  private unnoted: Ended[] = [];
  private timer: NodeJS.Timeout | undefined;
  private soon: NodeJS.Immediate | undefined;
  private isRunning = false;
  private ownPorts: readonly number[] = [];

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly log: Logger,
    resolve?: Resolve,
  ) {
    this.poster = new Poster(() => this.ownPorts, resolve);
    clock.onMove(() => {
      limitRetryWaits(store, clock.nowMs());
      this.wake();
    });
  }

  /**
   * Starts to send, beginning with the deliveries of earlier runs. Nothing is
   * delivered to the addresses that the service listens on.
   */
  start(ownAddresses: readonly string[] = []): void {
    // A URL leaves out port 80.
    this.ownPorts = ownAddresses.map((url) => Number(new URL(url).port) || 80);
    this.isRunning = true;
    const nowMs = this.clock.nowMs();
    endInterrupted(this.store, nowMs);
    limitRetryWaits(this.store, nowMs);
    this.wake();
  }

  /**
   * Queues a delivery. It is sent in the next turn of the event loop. If too much
   * already waits for the webhook, the delivery is given up.
   */
  take(delivery: NewDelivery): void {
    const row = this.store.deliveries.add(delivery);
    if (row.state === "given_up") this.warn(row);
    else this.wake();
  }

  /** Sends the due deliveries in the next turn of the event loop. */
  private wake(): void {
    if (!this.isRunning) return;
    this.soon ??= setImmediate(() => {
      this.soon = undefined;
      this.deliver();
    });
  }

  /** Begins no new attempt, and waits at most 3 s for the attempts under way. */
  async close(): Promise<void> {
    this.isRunning = false;
    clearImmediate(this.soon);
    clearTimeout(this.timer);
    await Promise.all(this.underWay.keys());
    this.noteOrWarn();
    await this.poster.close();
  }

  private wait(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.deliver(), ms);
  }

  private deliver(): void {
    try {
      this.note();
      const now = this.clock.nowMs();
      for (const { webhook } of this.open()) {
        const room = this.roomFor(webhook);
        const { attempts, givenUp } = beginAttempts(
          this.store,
          webhook,
          now,
          room,
        );
        for (const attempt of attempts) this.track(this.make(attempt), webhook);
        givenUp.forEach((row) => this.warn(row));
      }
      const next = Math.min(...this.open().map(({ due_at }) => due_at - now));
      this.wait(Math.min(Math.max(next, 0), LONGEST_WAIT_MS));
    } catch (error) {
      this.log.error({ err: error }, "deliveries cannot be sent");
      this.wait(FAILED_WRITE_WAIT_MS);
    }
  }

  /**
   * Stores the ends of attempts. If an end cannot be stored because the disk is full, a
   * later call stores it. Otherwise the delivery would stay under way, and be sent
   * again after a restart.
   */
  private note(): void {
    for (let next = this.unnoted[0]; next; next = this.unnoted[0]) {
      const { attempt, end, endedMs } = next;
      endAttempt(this.store, attempt, end, endedMs);
      this.unnoted.shift();
      const { webhook, kind, event_id: event } = attempt.delivery;
      const { status, error } = end;
      this.log.info(
        { webhook, kind, event, attempt: attempt.attempt, status, error },
        "delivery ended",
      );
    }
  }

  private noteOrWarn(): void {
    try {
      this.note();
    } catch (error) {
      const left = this.unnoted.length;
      this.log.error({ err: error, left }, "deliveries cannot be recorded");
      if (this.isRunning) this.wait(FAILED_WRITE_WAIT_MS);
    }
  }

  private warn({ webhook, kind, event_id: event, reason }: DeliveryRow): void {
    this.log.warn({ webhook, kind, event, reason }, "delivery given up");
  }

  /**
   * The queues of webhooks that may have another attempt. The other queues are checked
   * again when one of their attempts ends.
   */
  private open(): Queue[] {
    return this.store.deliveries
      .queues()
      .filter(({ webhook }) => this.roomFor(webhook) > 0);
  }

  private roomFor(webhook: string): number {
    const busy = [...this.underWay.values()].filter((id) => id === webhook);
    return AT_ONCE - busy.length;
  }

  private async make(attempt: Attempt): Promise<void> {
    const { url, headers, delivery } = attempt;
    const end = await this.poster.post(url, headers, delivery.body);
    this.unnoted.push({ attempt, end, endedMs: this.clock.nowMs() });
    this.noteOrWarn();
  }

  private track(work: Promise<void>, webhook: string): void {
    const tracked = work
      .catch((error: unknown) =>
        this.log.error({ err: error }, "a delivery cannot be recorded"),
      )
      .finally(() => {
        this.underWay.delete(tracked);
        this.wake();
      });
    this.underWay.set(tracked, webhook);
  }
}
