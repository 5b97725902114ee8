import type { Region } from "@devid/sdk";
import type {
  ApiKeyCreate,
  ApiKeyUpdate,
  EncryptionKeyUpdate,
  EnvironmentCreate,
  EnvironmentUpdate,
  WebhookCreate,
  WebhookUpdate,
} from "@devid/sdk/wire";
import type { z } from "zod";
import type { Clock } from "../clock";
import {
  newEncryptionToken,
  newId,
  newSigningKey,
  newToken,
} from "../identity";
import { conditionOf, type Db } from "./db";
import type { SqlValue } from "./sql-value";
import type {
  ApiKeyRow,
  EncryptionKeyRow,
  EnvironmentRow,
  WebhookRow,
} from "./schema";

/**
 * Where a page starts: after or before an item, which may have been removed
 * since.
 */
export type Place = { readonly after: number } | { readonly before: number };

/** A page of rows, oldest first, and where its neighbours start. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: Place | null;
  readonly prev: Place | null;
}

/** Columns and the values that a row must have in them; undefined allows any. */
export type Equal<Row> = {
  readonly [Name in keyof Row]?: Row[Name] | undefined;
};

/** What the rows of every kind of record have. */
export interface AnyRow {
  readonly seq: number;
  readonly id: string;
  readonly workspace: Region;
}

/** How the records of a kind are stored. */
interface Kind {
  readonly table: string;
  /**
   * The beginning of its IDs, such as `wh`. All are those of docs/contract.md, except
   * `ek` of encryption keys, which is our own choice.
   */
  readonly idPrefix: string;
  /** The columns that hold 0 and 1 for booleans. */
  readonly booleans?: readonly string[];
  /** The columns that hold JSON. */
  readonly json?: readonly string[];
}

/** The records of a kind. A kind with operations of its own has a class over this one. */
export class Records<Row extends AnyRow> {
  readonly table: string;

  constructor(
    protected readonly db: Db,
    protected readonly clock: Clock,
    private readonly kind: Kind,
  ) {
    this.table = kind.table;
  }

  newId(): string {
    return newId(this.kind.idPrefix);
  }

  /** Adds a record. Members of `values` that no caller may choose are overwritten. */
  add(workspace: Region, values: Partial<Row>, id = this.newId()): Row {
    const row = { ...values, id, workspace, created_at: this.clock.now() };
    return this.decode(this.db.add<Row>(this.table, row));
  }

  /** Changes the properties of a record that `change` returns for its old ones. */
  change(
    workspace: Region,
    id: string,
    change: (old: Row) => Partial<Row>,
  ): Row | undefined {
    const old = this.get(workspace, id);
    const values = old && change(old);
    if (!values || Object.keys(values).length === 0) return old;
    this.db.update<Row>(this.table, { seq: old.seq }, values);
    return this.get(workspace, id);
  }

  get(workspace: Region, id: string): Row | undefined {
    return this.where("workspace = ? AND id = ?", workspace, id)[0];
  }

  /**
   * A page of the records whose columns have the given values, in the order of creation
   * (docs/contract.md, "Pagination"). A place names an item and not a count, so that
   * pages neither skip nor repeat items when items are added or removed. A page of size
   * 0 is empty and has no neighbours.
   */
  page(
    workspace: Region,
    equal: Equal<Row>,
    place: Place,
    limit: number,
  ): Page<Row> {
    if (limit === 0) return { rows: [], next: null, prev: null };
    const [where, values] = conditionOf({ workspace, ...equal });
    const exists = (comparison: string, seq: number): boolean =>
      this.db.value(
        `SELECT 1 FROM ${this.table} WHERE ${where} AND seq ${comparison} ? LIMIT 1`,
        ...values,
        seq,
      ) !== undefined;
    const forward = "after" in place;
    const anchor = forward ? place.after : place.before;
    const rows = this.where(
      `${where} AND seq ${forward ? ">" : "<"} ?
       ORDER BY seq ${forward ? "ASC" : "DESC"} LIMIT ?`,
      ...values,
      anchor,
      limit,
    );
    if (!forward) rows.reverse();
    // If this page is empty, its neighbour starts at the anchor.
    const first = rows[0]?.seq ?? (forward ? anchor + 1 : anchor);
    const last = rows.at(-1)?.seq ?? (forward ? anchor : anchor - 1);
    return {
      rows,
      next: exists(">", last) ? { after: last } : null,
      prev: exists("<", first) ? { before: first } : null,
    };
  }

  /** How many records of a workspace have the given values in their columns. */
  count(workspace: Region, equal: Equal<Row> = {}): number {
    const [where, values] = conditionOf({ workspace, ...equal });
    const sql = `SELECT count(*) FROM ${this.table} WHERE ${where}`;
    return this.db.value<number>(sql, ...values) ?? 0;
  }

  /**
   * Removes a record for good, and with it everything that refers to it by a foreign
   * key. Returns whether the record existed.
   */
  remove(workspace: Region, id: string): boolean {
    return this.db.delete(this.table, { workspace, id }) > 0;
  }

  /** The records that meet a condition, which may be followed by an order and a limit. */
  protected where(condition: string, ...values: SqlValue[]): Row[] {
    const sql = `SELECT * FROM ${this.table} WHERE ${condition}`;
    return this.db.all<Row>(sql, ...values).map((row) => this.decode(row));
  }

  /** A row with booleans in place of 0 and 1, and with values in place of JSON. */
  protected decode(row: Row): Row {
    const { booleans = [], json = [] } = this.kind;
    const values = { ...row } as Record<string, unknown>;
    for (const name of booleans) values[name] = values[name] === 1;
    for (const name of json)
      values[name] = JSON.parse(String(values[name])) as unknown;
    return values as unknown as Row;
  }
}

/** The API keys of all workspaces (docs/contract.md, "API key record"). */
export class ApiKeys extends Records<ApiKeyRow> {
  constructor(db: Db, clock: Clock) {
    const booleans = ["is_built_in", "has_own_rate"];
    super(db, clock, { table: "api_keys", idPrefix: "tok", booleans });
  }

  withToken(token: string): ApiKeyRow | undefined {
    return this.where("token = ?", token)[0];
  }

  create(
    workspace: Region,
    key: z.output<typeof ApiKeyCreate>,
    environment: string | null,
    given: Partial<ApiKeyRow> = {},
  ): ApiKeyRow {
    return this.add(workspace, {
      ...key,
      environment,
      status: "enabled",
      // Requests per second (docs/assumptions.md, A19).
      rate_limit: 5,
      token: newToken(key.type),
      ...given,
    });
  }

  /**
   * Changes the given properties. Disabling a key sets `disabled_at`; enabling a key
   * clears it.
   */
  update(
    workspace: Region,
    id: string,
    change: z.output<typeof ApiKeyUpdate>,
  ): ApiKeyRow | undefined {
    return this.change(workspace, id, (old) => ({
      ...change,
      has_own_rate: change.rate_limit === undefined ? undefined : true,
      disabled_at:
        (change.status ?? old.status) === "enabled"
          ? null
          : (old.disabled_at ?? this.clock.now()),
    }));
  }
}

/** The encryption keys, one for each environment (docs/contract.md, "Encryption key record"). */
export class EncryptionKeys extends Records<EncryptionKeyRow> {
  constructor(db: Db, clock: Clock) {
    super(db, clock, { table: "encryption_keys", idPrefix: "ek" });
  }

  /** The key of an environment; every environment has exactly one. */
  of(environment: string): EncryptionKeyRow | undefined {
    return this.where("environment = ?", environment)[0];
  }

  /** Changes the given properties. A change of the status stores its time. */
  update(
    workspace: Region,
    id: string,
    change: z.output<typeof EncryptionKeyUpdate>,
  ): EncryptionKeyRow | undefined {
    return this.change(workspace, id, (old) => {
      const { status = old.status } = change;
      const moved = status === old.status ? undefined : this.clock.now();
      return {
        ...change,
        status,
        last_activated_at: status === "enabled" ? moved : undefined,
        last_deactivated_at: status === "disabled" ? moved : undefined,
      };
    });
  }

  /**
   * Makes the current token the previous token and the next token the current token,
   * and makes a new next token.
   */
  rotate(workspace: Region, id: string): EncryptionKeyRow | undefined {
    return this.change(workspace, id, (old) => ({
      previous_token: old.token,
      token: old.next_token,
      next_token: newEncryptionToken(),
      last_rotated_at: this.clock.now(),
    }));
  }

  /** Undoes the last rotation, once. Undefined when there is no rotation to undo. */
  revert(workspace: Region, id: string): EncryptionKeyRow | undefined {
    const previous = this.get(workspace, id)?.previous_token;
    if (!previous) return undefined;
    return this.change(workspace, id, ({ token }) => ({
      next_token: token,
      token: previous,
      previous_token: null,
    }));
  }
}

/** The environments of all workspaces, each with its encryption key (docs/contract.md, "Environment record"). */
export class Environments extends Records<EnvironmentRow> {
  constructor(
    db: Db,
    clock: Clock,
    private readonly encryptionKeys: EncryptionKeys,
  ) {
    const booleans = ["is_default", "is_restricted"];
    super(db, clock, { table: "environments", idPrefix: "ae", booleans });
  }

  /**
   * The default environment of a workspace; undefined before the first start.
   */
  default(workspace: Region): EnvironmentRow | undefined {
    return this.where("workspace = ? AND is_default = 1", workspace)[0];
  }

  /**
   * Adds an environment and its encryption key, which starts disabled. Only the default
   * environment has a given ID.
   */
  create(
    workspace: Region,
    environment: z.output<typeof EnvironmentCreate>,
    id?: string,
  ): EnvironmentRow {
    return this.db.tx(() => {
      const limit_mode = environment.limit_mode ?? "none";
      const values = {
        ...environment,
        limit_mode,
        is_default: id !== undefined,
      };
      const row = this.add(workspace, values, id);
      this.encryptionKeys.add(workspace, {
        environment: row.id,
        name: `${environment.name} encryption key`,
        status: "disabled",
        token: newEncryptionToken(),
        next_token: newEncryptionToken(),
      });
      return row;
    });
  }

  /** Changes the given properties. */
  update(
    workspace: Region,
    id: string,
    change: z.output<typeof EnvironmentUpdate>,
  ): EnvironmentRow | undefined {
    const updated_at = this.clock.now();
    return this.change(workspace, id, () => ({ ...change, updated_at }));
  }
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

/** Whether a webhook gets the events of an environment: it is enabled and verified, and of this environment or of the whole workspace. */
const RECEIVES =
  "status = 'enabled' AND verified = 1 AND (environment IS NULL OR environment = ?)";

/** The webhooks of all workspaces (docs/contract.md, "Webhook record"). */
export class Webhooks extends Records<WebhookRow> {
  constructor(db: Db, clock: Clock) {
    super(db, clock, {
      table: "webhooks",
      idPrefix: "wh",
      booleans: ["verified", "legacy"],
      json: ["basic_auth"],
    });
  }

  /** The webhooks that get the events of an environment. */
  receiving(workspace: Region, environment: string | null): WebhookRow[] {
    const condition = `workspace = ? AND ${RECEIVES} ORDER BY seq`;
    return this.where(condition, workspace, environment);
  }

  /** Whether a webhook is one of those that get the events of an environment. */
  receives(id: string, environment: string | null): boolean {
    return this.where(`id = ? AND ${RECEIVES}`, id, environment).length > 0;
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
    this.db.update<WebhookRow>(this.table, { id, url }, { verified: true });
  }
}
