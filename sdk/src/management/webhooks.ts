import type {
  CallOptions,
  InputOf,
  ListOptions,
  ManagementApi,
  Page,
  RecordOf,
} from "./management-api";
import { eachItem } from "./pages";
import {
  WebhookCreate,
  WebhookFilter,
  WebhookRecord,
  WebhookUpdate,
} from "./wire";

/** A webhook. `signingKey` is present only in the answer to its creation. */
export type Webhook = RecordOf<typeof WebhookRecord>;

type Filter = InputOf<typeof WebhookFilter>;

const at = (id: string) => `/webhooks/${encodeURIComponent(id)}`;

/** Webhooks of the workspace (docs/contract.md, "Webhook record"). */
export class Webhooks {
  constructor(private readonly api: ManagementApi) {}

  /** One page (docs/contract.md, "GET /webhooks"). */
  list(options: Filter & ListOptions = {}): Promise<Page<Webhook>> {
    const { signal, ...query } = options;
    const operation = "Listing webhooks";
    const path = "/webhooks";
    return this.api.page(WebhookRecord, WebhookFilter, {
      operation,
      path,
      query,
      signal,
    });
  }

  /** Every webhook that the filter lets through, page by page. */
  listAll(options: Filter & CallOptions = {}) {
    return eachItem((page) => this.list({ ...options, ...page }), options);
  }

  /** One webhook (docs/contract.md, "GET /webhooks/{id}"). @throws NotFoundError */
  get(id: string, options: CallOptions = {}): Promise<Webhook> {
    const operation = `Reading webhook ${id}`;
    return this.api.one(WebhookRecord, { operation, path: at(id), ...options });
  }

  /**
   * Makes a webhook and answers it with its signing key, which the service
   * shows only now (docs/contract.md, "POST /webhooks").
   * @throws AmbiguousError when it may have been made and its signing key is lost
   */
  create(
    input: InputOf<typeof WebhookCreate>,
    options: CallOptions = {},
  ): Promise<Webhook> {
    return this.api.one(WebhookRecord, {
      operation: `Creating webhook ${input.url}`,
      method: "POST",
      path: "/webhooks",
      body: { schema: WebhookCreate, input },
      ...options,
    });
  }

  /** Changes what is given; a new url must be verified again (docs/contract.md, "PATCH /webhooks/{id}"). @throws NotFoundError */
  update(
    id: string,
    input: InputOf<typeof WebhookUpdate>,
    options: CallOptions = {},
  ): Promise<Webhook> {
    return this.api.one(WebhookRecord, {
      operation: `Updating webhook ${id}`,
      method: "PATCH",
      path: at(id),
      body: { schema: WebhookUpdate, input },
      ...options,
    });
  }

  /** Deletes a webhook (docs/contract.md, "DELETE /webhooks/{id}"). @throws NotFoundError */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    const operation = `Deleting webhook ${id}`;
    await this.api.call({
      operation,
      method: "DELETE",
      path: at(id),
      ...options,
    });
  }

  /**
   * Has the service send a test event to the webhook; it is verified once its
   * endpoint answered 200, which may be after this call has returned
   * (docs/contract.md, "POST /webhooks/{id}/verification").
   */
  startVerification(id: string, options: CallOptions = {}): Promise<Webhook> {
    return this.api.one(WebhookRecord, {
      operation: `Starting the verification of webhook ${id}`,
      method: "POST",
      path: `${at(id)}/verification`,
      idempotent: true, // Another test event harms nobody.
      ...options,
    });
  }
}
