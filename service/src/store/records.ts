import type { Region } from "@devid/sdk";
import type { EnvironmentCreate, WebhookCreate } from "@devid/sdk/wire";
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
 * Where a page starts, as the numbers of a cursor: behind the item with this `seq`, or
 * before it if the second number is 1. The item may have been removed since.
 */
export type Place = readonly number[];

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

/** What names a record. */
export interface Named {
  readonly workspace: Region;
  readonly id: string;
}

/** What the rows of every kind of record have. */
export interface AnyRow extends Named {
  readonly seq: number;
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

  /** Changes the given properties of a record, and those that follow from them. */
  update(record: Named, change: Partial<Row>): Row | undefined {
    const old = this.get(record);
    if (!old) return undefined;
    const values = { ...change, ...this.following?.(change, old) };
    if (Object.keys(values).length === 0) return old;
    this.db.update<Row>(this.table, { seq: old.seq }, values);
    return this.get(record);
  }

  /** The properties that a change of others changes, too, such as the time of a new status. */
  protected following?(change: Partial<Row>, old: Row): Partial<Row>;

  get({ workspace, id }: Named): Row | undefined {
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
    limit: number,
    [anchor = 0, isBefore = 0]: Place = [],
  ): Page<Row> {
    if (limit === 0) return { rows: [], next: null, prev: null };
    const [where, values] = conditionOf({ workspace, ...equal });
    const [ahead, behind, order] = isBefore
      ? ["<", ">=", "DESC"]
      : [">", "<=", "ASC"];
    // One row more than the page has shows whether there is another page ahead.
    const found = this.where(
      `${where} AND seq ${ahead} ? ORDER BY seq ${order} LIMIT ?`,
      ...[...values, anchor, limit + 1],
    );
    const sql = `SELECT 1 FROM ${this.table} WHERE ${where} AND seq ${behind} ? LIMIT 1`;
    const isAny = this.db.value(sql, ...values, anchor) !== undefined;
    const isMore = found.length > limit;
    const rows = found.slice(0, limit);
    if (isBefore) rows.reverse();
    // If this page is empty, its neighbour starts at the anchor.
    const first = rows[0]?.seq ?? (isBefore ? anchor : anchor + 1);
    const last = rows.at(-1)?.seq ?? (isBefore ? anchor - 1 : anchor);
    return {
      rows,
      next: (isBefore ? isAny : isMore) ? [last, 0] : null,
      prev: (isBefore ? isMore : isAny) ? [first, 1] : null,
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
  remove({ workspace, id }: Named): boolean {
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
    key: Partial<ApiKeyRow> & Pick<ApiKeyRow, "type" | "name">,
  ): ApiKeyRow {
    return this.add(workspace, {
      status: "enabled",
      // Requests per second (docs/assumptions.md, A19).
      rate_limit: 5,
      token: newToken(key.type),
      ...key,
    });
  }

  /** Disabling a key sets `disabled_at`; enabling a key clears it. */
  protected override following(
    { rate_limit, status }: Partial<ApiKeyRow>,
    old: ApiKeyRow,
  ): Partial<ApiKeyRow> {
    const isEnabled = (status ?? old.status) === "enabled";
    return {
      has_own_rate: rate_limit === undefined ? undefined : true,
      disabled_at: isEnabled ? null : (old.disabled_at ?? this.clock.now()),
    };
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

  /** A change of the status stores its time. */
  protected override following(
    { status }: Partial<EncryptionKeyRow>,
    old: EncryptionKeyRow,
  ): Partial<EncryptionKeyRow> {
    if (status === undefined || status === old.status) return {};
    return status === "enabled"
      ? { last_activated_at: this.clock.now() }
      : { last_deactivated_at: this.clock.now() };
  }

  /**
   * Makes the current token the previous token and the next token the current token,
   * and makes a new next token.
   */
  rotate(record: Named): EncryptionKeyRow | undefined {
    const old = this.get(record);
    if (!old) return undefined;
    return this.update(record, {
      previous_token: old.token,
      token: old.next_token,
      next_token: newEncryptionToken(),
      last_rotated_at: this.clock.now(),
    });
  }

  /** Undoes the last rotation, once. Undefined when there is no rotation to undo. */
  revert(record: Named): EncryptionKeyRow | undefined {
    const { previous_token: token, token: next_token } = this.get(record) ?? {};
    if (!token) return undefined;
    return this.update(record, { token, next_token, previous_token: null });
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
    const values = { limit_mode: "none", ...environment } as const;
    return this.db.tx(() => {
      const is_default = id !== undefined;
      const row = this.add(workspace, { ...values, is_default }, id);
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

  protected override following(): Partial<EnvironmentRow> {
    return { updated_at: this.clock.now() };
  }
}

/**
 * A new webhook. The optional members that `WebhookCreate` lacks come from a
 * control call.
 */
export type NewWebhook = z.output<typeof WebhookCreate> &
  Partial<
    Pick<WebhookRow, "verified" | "legacy" | "basic_auth" | "signing_key">
  >;

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

  /** A new url must be verified again. A change of the status stores its time. */
  protected override following(
    { url = "", status }: Partial<WebhookRow>,
    old: WebhookRow,
  ): Partial<WebhookRow> {
    const isMoved = status !== undefined && status !== old.status;
    return {
      ...(url && url !== old.url && { verified: false }),
      ...(isMoved && { [`last_${status}_at`]: this.clock.now() }),
    };
  }

  /**
   * Marks a webhook as verified, unless its url has changed since the test
   * event was sent.
   */
  verify(id: string, url: string): void {
    this.db.update<WebhookRow>(this.table, { id, url }, { verified: true });
  }
}
