import type { Region } from "@devid/sdk";
import type { WebhookCreate, WebhookUpdate } from "@devid/sdk/wire";
import type { z } from "zod";
import { newSigningKey } from "../../identity";
import type { WEBHOOKS, WebhookRow } from "../database/schema";
import { RecordTable } from "./record-table";

/**
 * A new webhook. The optional members that `WebhookCreate` lacks come from a
 * control call.
 */
export type NewWebhook = z.output<typeof WebhookCreate> & {
  readonly verified?: boolean | undefined;
  readonly legacy?: boolean | undefined;
  readonly basic_auth?: object | undefined;
  readonly signing_key?: string | undefined;
};

/** The webhooks of all workspaces (docs/contract.md, "Webhook record"). */
export class Webhooks extends RecordTable<typeof WEBHOOKS.columns> {
  /**
   * The webhooks that get the events of an environment: enabled and verified
   * ones, of this environment or of the whole workspace.
   */
  receiving(workspace: Region, environment: string | undefined): WebhookRow[] {
    return this.db.all(
      `SELECT * FROM webhooks
        WHERE workspace = ? AND status = 'enabled' AND verified = 1
          AND (environment IS NULL OR environment = ?)
        ORDER BY seq`,
      workspace,
      environment ?? null,
    );
  }

  create(workspace: Region, webhook: NewWebhook): WebhookRow {
    const { status = "enabled", signing_key = newSigningKey() } = webhook;
    return this.add(workspace, {
      ...webhook,
      status,
      signing_key,
      last_enabled_at: status === "enabled" ? this.clock.now() : null,
    });
  }

  /**
   * Changes the given properties. A new url must be verified again. A change of the
   * status stores its time.
   */
  update(
    workspace: Region,
    id: string,
    change: z.output<typeof WebhookUpdate>,
  ): WebhookRow | undefined {
    return this.change(workspace, id, (old) => {
      const { url = old.url, status = old.status } = change;
      const moved = status === old.status ? undefined : this.clock.now();
      return {
        ...change,
        status,
        verified: url === old.url ? undefined : false,
        last_enabled_at: status === "enabled" ? moved : undefined,
        last_disabled_at: status === "disabled" ? moved : undefined,
      };
    });
  }

  /**
   * Marks a webhook as verified, unless its url has changed since the test
   * event was sent.
   */
  verify(id: string, url: string): void {
    this.db.run(
      "UPDATE webhooks SET verified = 1 WHERE id = ? AND url = ?",
      id,
      url,
    );
  }
}
