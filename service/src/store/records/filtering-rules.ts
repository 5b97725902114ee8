import type { Region } from "@devid/sdk";
import type {
  BulkRule,
  FilteringRuleCreate,
  FilteringRuleUpdate,
  Placement,
} from "@devid/sdk/wire";
import type { z } from "zod";
import { newId } from "../../identity";
import type { SqlValue } from "../database/database";
import { RecordTable } from "./record-table";

/**
 * A stored filtering rule. `place` orders the rules of an environment; the
 * numbers may have gaps.
 */
export interface FilteringRuleRow {
  readonly seq: number;
  readonly id: string;
  readonly workspace: Region;
  readonly environment: string;
  readonly place: number;
  readonly name: string;
  readonly expression: string;
  readonly action: "allow" | "deny";
  readonly status: "enabled" | "disabled";
  readonly deny_with: "Forbidden" | null;
  readonly created_at: string;
  readonly updated_at: string | null;
}

/** The filters of a list; `name` matches a part of the name. */
export type FilteringRuleFilter = Partial<
  Pick<FilteringRuleRow, "environment" | "status" | "name">
>;

type Placement = z.output<typeof Placement>;
type NewRule = Omit<z.output<typeof FilteringRuleCreate>, "environment">;

/**
 * The filtering rules of all workspaces, in their order of evaluation
 * (docs/contract.md, "Filtering rule record" and "Placement"). A rule is placed
 * by renumbering all rules of its environment in the same transaction.
 */
export class FilteringRules extends RecordTable<FilteringRuleRow> {
  protected readonly table = "filtering_rules";

  /**
   * Rules in their order of evaluation, environment by environment in the order
   * of creation.
   */
  list(
    workspace: Region,
    { environment, status, name }: FilteringRuleFilter,
  ): FilteringRuleRow[] {
    const conditions = ["rule.workspace = ?"];
    const values: SqlValue[] = [workspace];
    const add = (condition: string, value: SqlValue | undefined) => {
      if (value === undefined) return;
      conditions.push(condition);
      values.push(value);
    };
    add("rule.environment = ?", environment);
    add("rule.status = ?", status);
    add("instr(lower(rule.name), lower(?)) > 0", name);
    return this.db.all(
      `SELECT rule.* FROM filtering_rules AS rule
         JOIN environments ON environments.id = rule.environment
        WHERE ${conditions.join(" AND ")}
        ORDER BY environments.seq, rule.place`,
      ...values,
    );
  }

  create(
    workspace: Region,
    environment: string,
    rule: NewRule,
  ): FilteringRuleRow {
    return this.db.transaction(() => {
      const id = this.insert(workspace, environment, rule);
      this.place(environment, id, rule.placement ?? {});
      return this.reread(workspace, id);
    });
  }

  /**
   * Changes the given properties. A rule that moves to another environment
   * becomes the last one there, unless it is placed.
   */
  update(
    workspace: Region,
    id: string,
    change: z.output<typeof FilteringRuleUpdate>,
  ): FilteringRuleRow | undefined {
    const old = this.get(workspace, id);
    if (!old) return undefined;
    return this.db.transaction(() => this.change(workspace, old, change));
  }

  /**
   * Updates the rules that carry an ID and creates the others, in the given
   * order, all or none. Answers the rules written, in that order.
   */
  merge(
    workspace: Region,
    environment: string,
    rules: readonly z.output<typeof BulkRule>[],
  ): FilteringRuleRow[] {
    return this.db.transaction(() => {
      const ids = rules.map((rule) => {
        const old = rule.id && this.get(workspace, rule.id);
        if (old) return this.change(workspace, old, rule).id;
        const id = this.insert(workspace, environment, rule);
        this.place(environment, id, rule.placement ?? {});
        return id;
      });
      return ids.map((id) => this.reread(workspace, id));
    });
  }

  /**
   * Replaces all rules of the environment by these, in this order and with new
   * IDs.
   */
  overwrite(
    workspace: Region,
    environment: string,
    rules: readonly z.output<typeof BulkRule>[],
  ): FilteringRuleRow[] {
    return this.db.transaction(() => {
      this.db.run(
        "DELETE FROM filtering_rules WHERE environment = ?",
        environment,
      );
      const ids = rules.map((rule) =>
        this.insert(workspace, environment, rule),
      );
      this.number(ids);
      return ids.map((id) => this.reread(workspace, id));
    });
  }

  private change(
    workspace: Region,
    old: FilteringRuleRow,
    change: z.output<typeof FilteringRuleUpdate>,
  ): FilteringRuleRow {
    const environment = change.environment ?? old.environment;
    const action = change.action ?? old.action;
    this.db.run(
      `UPDATE filtering_rules
          SET environment = ?, name = ?, expression = ?, action = ?, status = ?,
              deny_with = ?, updated_at = ?
        WHERE id = ?`,
      environment,
      change.name ?? old.name,
      change.expression ?? old.expression,
      action,
      change.status ?? old.status,
      denyWith(action),
      this.clock.now(),
      old.id,
    );
    const moves = environment !== old.environment;
    if (moves || change.placement)
      this.place(environment, old.id, change.placement ?? {});
    return this.reread(workspace, old.id);
  }

  private insert(
    workspace: Region,
    environment: string,
    rule: NewRule,
  ): string {
    const id = newId("tr");
    this.db.run(
      `INSERT INTO filtering_rules
         (id, workspace, environment, place, name, expression, action, status, deny_with, created_at)
       VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?)`,
      id,
      workspace,
      environment,
      rule.name,
      rule.expression,
      rule.action,
      rule.status ?? "enabled",
      denyWith(rule.action),
      this.clock.now(),
    );
    return id;
  }

  private place(environment: string, id: string, placement: Placement): void {
    const others = this.ids(environment).filter((other) => other !== id);
    this.number(placed(others, id, placement));
  }

  private ids(environment: string): string[] {
    return this.db
      .all<{
        id: string;
      }>(
        "SELECT id FROM filtering_rules WHERE environment = ? ORDER BY place",
        environment,
      )
      .map(({ id }) => id);
  }

  private number(ids: readonly string[]): void {
    ids.forEach((id, place) =>
      this.db.run(
        "UPDATE filtering_rules SET place = ? WHERE id = ?",
        place,
        id,
      ),
    );
  }

  private reread(workspace: Region, id: string): FilteringRuleRow {
    // The rule was written in this transaction.
    return this.get(workspace, id) as FilteringRuleRow;
  }
}

/**
 * `Forbidden`, the only way to deny, for a deny rule; null for an allow rule
 * (docs/assumptions.md, A92).
 */
function denyWith(action: "allow" | "deny"): FilteringRuleRow["deny_with"] {
  return action === "deny" ? "Forbidden" : null;
}

/**
 * Inserts an item into a list as a placement says (docs/contract.md,
 * "Placement"). `position` counts from 0; a number beyond the end, or no
 * placement, means the end. So does a neighbour that is not in the list, but
 * callers refuse that before.
 */
export function placed(
  list: readonly string[],
  item: string,
  { position, after, before }: z.output<typeof Placement>,
): string[] {
  const index =
    position !== undefined
      ? Math.min(position, list.length)
      : after !== undefined && list.includes(after)
        ? list.indexOf(after) + 1
        : before !== undefined && list.includes(before)
          ? list.indexOf(before)
          : list.length;
  return [...list.slice(0, index), item, ...list.slice(index)];
}
