import type { Region } from "@devid/sdk";
import type { WebhookCreate, WebhookUpdate } from "@devid/sdk/wire";
import type { z } from "zod";
import { newId, newSigningKey } from "../../identity";
import { type Page, type Place, readPage } from "../database/page";
import { RecordTable } from "./record-table";

/** A stored webhook. */
export interface WebhookRow {
  readonly seq: number;
  readonly id: string;
  readonly workspace: Region;
  readonly environment: string | null;
  readonly url: string;
  readonly description: string | null;
  readonly status: "enabled" | "disabled";
  readonly verified: number;
  readonly legacy: number;
  readonly basic_auth: string | null;
  readonly signing_key: string;
  readonly created_at: string;
  readonly last_enabled_at: string | null;
  readonly last_disabled_at: string | null;
}

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

/** What a list of webhooks can be filtered by. */
export type WebhookFilter = Partial<Pick<WebhookRow, "status" | "environment">>;

/** The webhooks of all workspaces (docs/contract.md, "Webhook record"). */
export class Webhooks extends RecordTable<WebhookRow> {
  protected readonly table = "webhooks";

  list(
    workspace: Region,
    { status, environment }: WebhookFilter,
    place: Place,
    limit: number,
  ): Page<WebhookRow> {
    const equal = { workspace, status, environment };
    return readPage(this.db, this.table, equal, place, limit);
  }

  /**
   * The webhooks that get the events of an environment: enabled and verified
   * ones, of this environment or of the whole workspace.
   */
  receiving(workspace: Region, environment: string | undefined): WebhookRow[] {
    const which = `webhooks receiving in ${workspace} ${environment ?? ""}`;
    return this.db.remember(which, () =>
      this.db.all(
        `SELECT * FROM webhooks
          WHERE workspace = ? AND status = 'enabled' AND verified = 1
            AND (environment IS NULL OR environment = ?)
          ORDER BY seq`,
        workspace,
        environment ?? null,
      ),
    );
  }

  create(workspace: Region, webhook: NewWebhook): WebhookRow {
    const now = this.clock.now();
    const { status = "enabled", basic_auth } = webhook;
    const row = this.db.get<WebhookRow>(
      `INSERT INTO webhooks
         (id, workspace, environment, url, description, status, verified, legacy,
          basic_auth, signing_key, created_at, last_enabled_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
      newId("wh"),
      workspace,
      webhook.environment ?? null,
      webhook.url,
      webhook.description ?? null,
      status,
      webhook.verified ? 1 : 0,
      webhook.legacy ? 1 : 0,
      basic_auth === undefined ? null : JSON.stringify(basic_auth),
      webhook.signing_key ?? newSigningKey(),
      now,
      status === "enabled" ? now : null,
    );
    // RETURNING answers the row that was just written.
    return row as WebhookRow;
  }

  /**
   * Changes the given properties. A new url has to be verified again, and a
   * change of the status stores its time.
   */
  update(
    workspace: Region,
    id: string,
    change: z.output<typeof WebhookUpdate>,
  ): WebhookRow | undefined {
    const old = this.get(workspace, id);
    if (!old) return undefined;
    const url = change.url ?? old.url;
    const status = change.status ?? old.status;
    const moved = status === old.status ? undefined : this.clock.now();
    return this.db.get(
      `UPDATE webhooks
          SET url = ?, description = ?, environment = ?, status = ?, verified = ?,
              last_enabled_at = ?, last_disabled_at = ?
        WHERE id = ? RETURNING *`,
      url,
      change.description === undefined ? old.description : change.description,
      change.environment === undefined ? old.environment : change.environment,
      status,
      url === old.url ? old.verified : 0,
      (status === "enabled" ? moved : undefined) ?? old.last_enabled_at,
      (status === "disabled" ? moved : undefined) ?? old.last_disabled_at,
      id,
    );
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
