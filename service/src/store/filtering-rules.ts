import type { Region } from "@devid/sdk";
import type { BulkRule, FilteringRuleUpdate, Placement } from "@devid/sdk/wire";
import type { z } from "zod";
import type { Clock } from "../clock";
import type { Db } from "./db";
import { type Named, Records } from "./records";
import type { FilteringRuleRow } from "./schema";

/** The filters of a list; `name` matches a part of the name. */
export type FilteringRuleFilter = Partial<
  Pick<FilteringRuleRow, "environment" | "status" | "name">
>;

/** The SQL limit that means no limit. */
const NO_LIMIT = -1;

type NewRule = z.output<typeof BulkRule>;

/**
 * The filtering rules of all workspaces, in their order of evaluation
 * (docs/contract.md, "Filtering rule record" and "Placement"). Placing a rule renumbers
 * all rules of its environment in the same transaction. A bulk call renumbers them
 * once.
 */
export class FilteringRules extends Records<FilteringRuleRow> {
  private readonly revisions = new Map<string, object>();

  constructor(db: Db, clock: Clock) {
    super(db, clock, { table: "filtering_rules", idPrefix: "tr" });
    db.onWrite(this.table, "environment", (environment) =>
      this.revisions.delete(environment),
    );
  }

  /**
   * An object that stands for the rules of an environment as they are now. Every write of
   * one of these rules, a deletion of the environment and a reset included, puts another
   * object in its place. Call it outside of a transaction, which may be rolled back.
   */
  revision(environment: string): object {
    const revision = this.revisions.get(environment) ?? {};
    this.revisions.set(environment, revision);
    return revision;
  }

  /**
   * Rules in their order of evaluation, environment by environment in the order of
   * creation. Without a limit, all rules.
   */
  list(
    workspace: Region,
    { environment, status, name = "" }: FilteringRuleFilter,
    limit = NO_LIMIT,
  ): FilteringRuleRow[] {
    // Only the rules of several environments have to be sorted.
    const byEnvironment =
      environment === undefined
        ? "(SELECT seq FROM environments WHERE id = environment),"
        : "";
    return this.db.find(
      this.table,
      { workspace, environment, status },
      `AND instr(lower(name), lower(?)) > 0 ORDER BY ${byEnvironment} place LIMIT ?`,
      ...[name, limit],
    );
  }

  create(
    workspace: Region,
    environment: string,
    rule: NewRule,
  ): FilteringRuleRow {
    const [created] = this.merge(workspace, environment, [rule]);
    return created as FilteringRuleRow;
  }

  /**
   * Changes the given properties. A rule that moves to another environment becomes the
   * last rule there, unless a placement is given.
   */
  override update(
    record: Named,
    change: z.output<typeof FilteringRuleUpdate>,
  ): FilteringRuleRow | undefined {
    const old = this.get(record);
    if (!old) return undefined;
    const { workspace, id } = old;
    const { environment = old.environment } = change;
    return this.merge(workspace, environment, [{ ...old, ...change, id }])[0];
  }

  /**
   * Updates the rules that have an ID and creates the others: all of them or none.
   * Returns the written rules in the given order.
   */
  merge(
    workspace: Region,
    environment: string,
    rules: readonly NewRule[],
  ): FilteringRuleRow[] {
    return this.db.tx(() => {
      const order = this.order(environment);
      const ids = rules.map((rule) => {
        const old = rule.id && this.get({ workspace, id: rule.id });
        if (!old) {
          const id = this.insert(workspace, environment, rule);
          place(order, id, rule.placement);
          return id;
        }
        const { placement, name, expression, action, status } = rule;
        this.db.update<FilteringRuleRow>(
          this.table,
          { seq: old.seq },
          {
            ...{ name, environment, expression, action, status },
            deny_with: denyWith(action),
            updated_at: this.clock.now(),
          },
        );
        if (placement || old.environment !== environment)
          place(order, old.id, placement);
        return old.id;
      });
      this.number(order);
      return this.written(workspace, ids);
    });
  }

  /**
   * Replaces all rules of the environment by the given rules, with new IDs. Rules stand
   * in the given order, unless they have a placement (docs/assumptions.md, A31).
   * Returns the rules in the given order.
   */
  overwrite(
    workspace: Region,
    environment: string,
    rules: readonly NewRule[],
  ): FilteringRuleRow[] {
    return this.db.tx(() => {
      this.db.delete(this.table, { environment });
      const ids = rules.map((rule) =>
        this.insert(workspace, environment, rule),
      );
      this.number(inPlace(rules, ids));
      return this.written(workspace, ids);
    });
  }

  private insert(
    workspace: Region,
    environment: string,
    { name, expression, action, status = "enabled" }: NewRule,
  ): string {
    const deny_with = denyWith(action);
    const rule = { name, environment, expression, action, status, deny_with };
    return this.add(workspace, { ...rule, place: 0 }).id;
  }

  /** The IDs of the rules of an environment, in their order. */
  private order(environment: string): string[] {
    const rows = this.db.all<{ id: string }>(
      "SELECT id FROM filtering_rules WHERE environment = ? ORDER BY place",
      environment,
    );
    return rows.map(({ id }) => id);
  }

  /** Numbers rules in this order. One statement for each rule would take longer. */
  private number(ids: readonly string[]): void {
    this.db.run(
      `UPDATE filtering_rules SET place = wanted.key FROM json_each(?) AS wanted
        WHERE filtering_rules.id = wanted.value AND place <> wanted.key`,
      JSON.stringify(ids),
    );
  }

  private written(
    workspace: Region,
    ids: readonly string[],
  ): FilteringRuleRow[] {
    return ids.flatMap((id) => this.get({ workspace, id }) ?? []);
  }
}

/**
 * The IDs of new rules in their order of evaluation. A rule with a `position` has this
 * many rules before it in the final order, so rules are placed by ascending position.
 * `after` and `before` name the `id` that the call gives to another rule.
 */
function inPlace(
  rules: readonly NewRule[],
  ids: readonly string[],
): readonly string[] {
  const placed = rules.flatMap(({ placement }, index) =>
    placement ? [{ id: ids[index] ?? "", placement }] : [],
  );
  if (placed.length === 0) return ids;
  const newIds = new Map(rules.map(({ id }, index) => [id, ids[index]]));
  const idOf = (given: string | undefined) => given && newIds.get(given);
  const order = [...ids];
  for (const { id, placement } of placed)
    if (placement.after ?? placement.before)
      place(order, id, {
        after: idOf(placement.after),
        before: idOf(placement.before),
      });
  const positions = new Map(
    placed.flatMap(({ id, placement: { position } }) =>
      position === undefined ? [] : [[id, position] as const],
    ),
  );
  const whole = order.filter((id) => !positions.has(id));
  for (const [id, position] of [...positions].sort(([, a], [, b]) => a - b))
    place(whole, id, { position });
  return whole;
}

/**
 * Places a rule in an order (docs/contract.md, "Placement"). A rule that is already in it
 * moves. `position` counts from 0. A number beyond the end, or no placement, means the
 * end. A neighbour that is not in the order also means the end, but callers refuse it
 * before.
 */
function place(
  order: string[],
  id: string,
  { position, after, before }: z.output<typeof Placement> = {},
): void {
  const old = order.indexOf(id);
  if (old >= 0) order.splice(old, 1);
  const neighbour = order.indexOf(after ?? before ?? "");
  const beside =
    neighbour < 0 ? order.length : neighbour + (after === undefined ? 0 : 1);
  order.splice(position ?? beside, 0, id);
}

/**
 * `Forbidden`, the only way to deny, for a deny rule; null for an allow rule
 * (docs/assumptions.md, A92).
 */
function denyWith(action: "allow" | "deny"): FilteringRuleRow["deny_with"] {
  return action === "deny" ? "Forbidden" : null;
}
