import { maskUrl } from "../http/redact";
import type { CallOptions } from "../http/request";
import { Collection } from "./collection";
import type { ListOptions } from "./management-api";
import type { InputOf, RecordOf } from "./records";
import {
  WebhookCreate,
  WebhookFilter,
  WebhookRecord,
  WebhookUpdate,
} from "../wire/management";

/** A webhook. Only `create` returns `signingKey`. */
export type Webhook = RecordOf<typeof WebhookRecord>;

/** What a new webhook takes. */
export type WebhookCreateInput = InputOf<typeof WebhookCreate>;

/** The changes of a webhook. A field that is left out keeps its value. */
export type WebhookUpdateInput = InputOf<typeof WebhookUpdate>;

/** Filters and page of a list of webhooks. */
export type WebhookListOptions = InputOf<typeof WebhookFilter> & ListOptions;

/** Webhooks of the workspace (docs/contract.md, "Webhook record"). */
export class Webhooks extends Collection<
  typeof WebhookRecord,
  typeof WebhookFilter
> {
  protected readonly spec = {
    path: "/webhooks",
    singular: "webhook",
    record: WebhookRecord,
  };
  protected readonly filter = WebhookFilter;

  /**
   * One webhook (docs/contract.md, "GET /webhooks/{id}").
   * @throws NotFoundError
   *
   * @example
   * const { url, status } = await client.webhooks.get(webhookId);
   */
  get(id: string, options?: CallOptions): Promise<Webhook> {
    return this.callOne("Reading", id, {}, options);
  }

  /**
   * Creates a webhook and returns it with its signing key. The service shows the
   * signing key only once, in this answer (docs/contract.md, "POST /webhooks").
   * @throws AmbiguousError when the webhook may have been created and its signing key
   * is lost
   *
   * @example
   * const { id, signingKey } = await client.webhooks.create({
   *   url: "https://shop.example/hook",
   * });
   */
  create(input: WebhookCreateInput, options?: CallOptions): Promise<Webhook> {
    const body = { schema: WebhookCreate, input };
    return this.createOne(maskUrl(input.url), body, options);
  }

  /**
   * Updates the given fields. A new `url` must be verified again (docs/contract.md,
   * "PATCH /webhooks/{id}").
   * @throws NotFoundError
   *
   * @example
   * await client.webhooks.update(webhookId, { status: "disabled" });
   */
  update(
    id: string,
    input: WebhookUpdateInput,
    options?: CallOptions,
  ): Promise<Webhook> {
    const body = { schema: WebhookUpdate, input };
    return this.callOne("Updating", id, { method: "PATCH", body }, options);
  }

  /**
   * Deletes a webhook (docs/contract.md, "DELETE /webhooks/{id}").
   * @throws NotFoundError
   *
   * @example
   * await client.webhooks.delete(webhookId);
   */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.deleteOne(id, options);
  }

  /**
   * Asks the service to send a test event to the webhook. The webhook is verified when
   * its endpoint has answered 200. This may be after this call has returned
   * (docs/contract.md, "POST /webhooks/{id}/verification").
   *
   * @example
   * await client.webhooks.startVerification(webhookId);
   */
  startVerification(id: string, options?: CallOptions): Promise<Webhook> {
    // Another test event does no harm, so the call may be repeated.
    const call = {
      method: "POST",
      action: "verification",
      idempotent: true,
    } as const;
    return this.callOne("Starting the verification of", id, call, options);
  }
}
