import { callOptions, type CallOptions } from "../http/request";
import { DEFAULT_RETRY } from "../http/retry";
import type { ServerApi } from "./server-api";

/** Visitors of the workspace (docs/contract.md, "DELETE /visitors/{visitor_id}"). */
export class Visitors {
  constructor(private readonly api: ServerApi) {}

  /**
   * Asks the service to delete what it has stored about a visitor. The service deletes
   * the data that the visitor is recognised by within minutes, and the visitor's events
   * of the last 10 days within a day. Older events stay for as long as the plan keeps
   * events. The service takes at most 30 visitors an hour and 500 a day.
   *
   * @example
   * await client.visitors.delete("Ibk1527CUFmcnjLwIs4A9");
   * @throws FeatureNotEnabledError unless the plan has the feature,
   * VisitorNotFoundError, ThrottledError when the quota is used up
   */
  async delete(visitorId: string, options: CallOptions = {}): Promise<void> {
    await this.api.call(
      "deleteVisitorData",
      { id: visitorId },
      {
        ...callOptions(options, "Deleting visitor"),
        // A used-up quota is also answered with 429, and a short wait does not help.
        retry: {
          ...options.retry,
          maxAttempts:
            options.retry?.maxAttempts ??
            this.api.transport.retry?.maxAttempts ??
            DEFAULT_RETRY.maxAttempts,
        },
      },
    );
  }
}
