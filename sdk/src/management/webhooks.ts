import { maskUrl } from "../address";
import type { CallOptions } from "../http/request";
import { labelOf } from "../kind-of";
import { Collection } from "./collection";
import type { ListOptions } from "./management-api";
import type { InputOf, RecordOf } from "./records";
import { WEBHOOK } from "../wire/operations";
import type {
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
  protected readonly pages = WEBHOOK.list;

  /**
   * One webhook (docs/contract.md, "GET /webhooks/{id}").
   * @throws NotFoundError
   *
   * @example
   * const { url, status } = await client.webhooks.get(webhookId);
   */
  get(id: string, options?: CallOptions): Promise<Webhook> {
    return this.api.call(WEBHOOK.get, { id }, options);
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
    const { url } = { ...input };
    const label = maskUrl(labelOf(url));
    return this.api.call(WEBHOOK.create, { label, input }, options);
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
    return this.api.call(WEBHOOK.update, { id, input }, options);
  }

  /**
   * Deletes a webhook (docs/contract.md, "DELETE /webhooks/{id}").
   * @throws NotFoundError
   *
   * @example
   * await client.webhooks.delete(webhookId);
   */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.api.call(WEBHOOK.delete, { id }, options);
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
    return this.api.call(WEBHOOK.verify, { id }, options);
  }
}
