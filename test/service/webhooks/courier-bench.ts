import type { Event } from "@devid/sdk";
import type { Region } from "@devid/service";
import pino from "pino";
import { onTestFinished, vi } from "vitest";
import { Clock } from "../../../service/src/clock";
import { Courier } from "../../../service/src/webhooks/courier";
import type { Resolve } from "../../../service/src/webhooks/private-network";
import { announceEvent } from "../../../service/src/identification/announce-event";
import { startVerification } from "../../../service/src/management/kinds";
import {
  completeEvent,
  type NewEvent,
} from "../../../service/src/control/add-events";
import { DEVELOPMENT_KEYS } from "../../../service/src/keys";
import type { DeliveryAttempt } from "../../../service/src/store/deliveries";
import type { DeliveryRow } from "../../../service/src/store/deliveries";
import { openStore, type Store } from "../../../service/src/store/store";
import type { WebhookRow } from "../../../service/src/store/schema";
import type { NewWebhook } from "../../../service/src/store/records";

/** A delivery and its attempts. */
export interface DeliveryWithAttempts extends DeliveryRow {
  readonly attempts: readonly DeliveryAttempt[];
}

/** The parts of a service for deliveries. The test controls the store and the clock. */
export class CourierBench {
  readonly clock = new Clock();
  readonly store: Store;
  readonly courier: Courier;
  /** The warnings that were logged, as JSON. */
  readonly warnings: string[] = [];

  constructor(data = ":memory:", resolve?: Resolve) {
    this.store = openStore(data, this.clock, DEVELOPMENT_KEYS);
    const log = pino(
      { level: "warn" },
      { write: (line) => this.warnings.push(line) },
    );
    this.courier = new Courier(this.store, this.clock, log, resolve);
  }

  /** A bench of one test, closed after it. */
  static forTest(...given: ConstructorParameters<typeof CourierBench>) {
    const bench = new CourierBench(...given);
    onTestFinished(() => bench.close());
    return bench;
  }

  start(own: readonly string[] = []): this {
    this.courier.start(own);
    return this;
  }

  async close(): Promise<void> {
    await this.courier.close();
    this.store.close();
  }

  environment(region: Region = "us"): string {
    return this.store.environments.default(region)?.id ?? "";
  }

  /** A verified webhook, unless `more` says otherwise. */
  webhook(
    url: string,
    more: Partial<NewWebhook> = {},
    region: Region = "us",
  ): WebhookRow {
    return this.store.webhooks.create(region, { url, verified: true, ...more });
  }

  /** Stores an event like a visit. */
  visit(event: NewEvent = {}, region: Region = "us"): Event {
    const { clock, store } = this;
    const environment = this.environment(region);
    const made = completeEvent(event, clock.nowMs(), environment);
    store.transaction(() => {
      store.events.insert(region, [made]);
      announceEvent(this, region, made);
    });
    return made;
  }

  verify(webhook: WebhookRow): void {
    startVerification(this, webhook);
  }

  advance(ms: number): void {
    this.clock.moveTo(this.clock.nowMs() + ms);
  }

  deliveries(region: Region = "us"): DeliveryWithAttempts[] {
    const { deliveries } = this.store;
    return deliveries
      .since(region, 0, 1_000)
      .map((row) => ({ ...row, attempts: deliveries.attempts(row.seq) }));
  }

  /** Waits until no attempt is running or due, and returns the deliveries. */
  async settled(): Promise<readonly DeliveryWithAttempts[]> {
    return vi.waitFor(() => {
      const all = this.deliveries();
      const now = this.clock.nowMs();
      const busy = all.find(
        ({ state, due_at }) =>
          state === "sending" || (state === "pending" && Number(due_at) <= now),
      );
      if (busy) throw new Error(`Delivery ${busy.seq} is ${busy.state}.`);
      return all;
    }, 10_000);
  }
}
