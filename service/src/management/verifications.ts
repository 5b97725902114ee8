import { randomUUID } from "node:crypto";
import { signWebhook, WEBHOOK_SIGNATURE_HEADER } from "@devid/sdk/delivery";
import type { Logger } from "pino";
import type { Agent } from "undici";
import type { Clock } from "../clock";
import type { Store } from "../store/store";
import type { WebhookRow } from "../store/webhooks";

/** How long a webhook may take to answer (docs/contract.md, "Webhook delivery"). */
const TIMEOUT_MS = 3_000;

/** How much of the answer's body is read before the connection is given up. */
const BODY_LIMIT_BYTES = 4_096;

/**
 * Sends test events to webhooks, in the background (docs/contract.md, "POST
 * /webhooks/{id}/verification"). Nothing but a webhook's own url is contacted,
 * and a redirect is not followed.
 */
export class Verifications {
  private readonly underWay = new Set<Promise<void>>();
  private readonly stopped = new AbortController();
  private agent: Agent | undefined;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  /** Begins one verification and does not wait for it. */
  start(webhook: WebhookRow): void {
    const work = this.verify(webhook).catch((error: unknown) => {
      this.log.warn({ err: error, webhook: webhook.id }, "verification failed");
    });
    this.underWay.add(work);
    void work.finally(() => this.underWay.delete(work));
  }

  /** Gives up what is under way. */
  abort(): void {
    this.stopped.abort();
  }

  /** Waits for what is under way; each is bounded by its own timeout. */
  async close(): Promise<void> {
    await Promise.all(this.underWay);
    await this.agent?.destroy();
  }

  private async verify(webhook: WebhookRow): Promise<void> {
    // Loaded on first use: most runs of the service never send anything.
    const { Agent, request } = await import("undici");
    this.agent ??= new Agent({ connect: { timeout: TIMEOUT_MS } });
    const body = JSON.stringify(this.testEvent(webhook));
    const answer = await request(webhook.url, {
      dispatcher: this.agent,
      method: "POST",
      headers: {
        "content-type": "application/json",
        [WEBHOOK_SIGNATURE_HEADER]: signWebhook(body, webhook.signing_key),
      },
      body,
      signal: AbortSignal.any([
        AbortSignal.timeout(TIMEOUT_MS),
        this.stopped.signal,
      ]),
    });
    const { statusCode: status } = answer;
    this.log.info({ webhook: webhook.id, status }, "verification answered");
    if (status === 200) this.store.webhooks.verify(webhook.id, webhook.url);
    await answer.body.dump({ limit: BODY_LIMIT_BYTES });
  }

  /** An event that no visitor caused; its form is our own choice (docs/assumptions.md, A47). */
  private testEvent({ environment }: WebhookRow): object {
    const timestamp = this.clock.nowMs();
    return {
      event_id: `${timestamp}.${randomUUID().slice(0, 6)}`,
      timestamp,
      ...(environment !== null && { environment_id: environment }),
      replayed: false,
    };
  }
}
