import type { Region } from "@devid/sdk";
import type { Database } from "../database/database";

/** A request for identification and its result, as the console shows it. */
export interface VisitRow {
  readonly workspace: Region;
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  /**
   * The number of the decision; null for an event that a control call has
   * stored.
   */
  readonly decision: number | null;
  readonly result: "allow" | "deny" | null;
  readonly deny_with: string | null;
  /** JSON of the rule that decided; null where none matched. */
  readonly rule: string | null;
  /** JSON of the request that the rules were evaluated on. */
  readonly request: string | null;
  readonly event_id: string | null;
  /** JSON of the event; null for a denied request. */
  readonly body: string | null;
}

/** How often a rule has decided. */
export interface RuleHits {
  /**
   * The ID of the rule, which may have been deleted since; null stands for
   * requests that no rule matched.
   */
  readonly rule: string | null;
  readonly hits: number;
  readonly last: string;
}

/** Reads what has happened lately in the workspaces. */
export class Activity {
  constructor(private readonly db: Database) {}

  /** The last visits of these workspaces, the newest first. */
  visits(workspaces: readonly Region[], limit: number): VisitRow[] {
    const among = listed(workspaces);
    const decided = this.db.all<VisitRow>(
      `SELECT decisions.workspace, at, decisions.seq AS decision, result,
              deny_with, rule, request, decisions.event_id, body
         FROM decisions
         LEFT JOIN events USING (workspace, event_id)
         LEFT JOIN event_bodies ON event_bodies.seq = events.seq
        WHERE decisions.workspace IN (${among})
        ORDER BY decisions.seq DESC LIMIT ?`,
      ...workspaces,
      limit,
    );
    const stored = this.db.all<VisitRow & { readonly timestamp: number }>(
      `SELECT workspace, timestamp, NULL AS decision, NULL AS result,
              NULL AS deny_with, NULL AS rule, NULL AS request, event_id, body
         FROM events JOIN event_bodies USING (seq)
        WHERE workspace IN (${among})
        ORDER BY seq DESC LIMIT ?`,
      ...workspaces,
      limit,
    );
    const known = new Set(decided.map(({ event_id }) => event_id));
    const others = stored
      .filter(({ event_id }) => !known.has(event_id))
      .map(({ timestamp, ...row }) => ({
        ...row,
        at: new Date(timestamp).toISOString(),
      }));
    return [...decided, ...others]
      .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
      .slice(0, limit);
  }

  /**
   * How often each rule of a workspace has decided, counted over the stored
   * decisions.
   */
  ruleHits(workspace: Region): RuleHits[] {
    return this.db.all(
      `SELECT rule ->> '$.id' AS rule, count(*) AS hits, max(at) AS last
         FROM decisions WHERE workspace = ? GROUP BY 1`,
      workspace,
    );
  }

  /** A number that grows with every change of the database. */
  changes(): number {
    const row = this.db.get<{ n: number }>("SELECT total_changes() AS n");
    return row?.n ?? 0;
  }
}

function listed(workspaces: readonly Region[]): string {
  return workspaces.map(() => "?").join();
}
