import type { Region } from "@devid/sdk";
import type { Database } from "../database/database";

/** A request for identification, and what came of it, as the console shows it. */
export interface VisitRow {
  readonly workspace: Region;
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  /** Number of the decision; null for an event that a control call has stored. */
  readonly decision: number | null;
  readonly result: "allow" | "deny" | null;
  readonly deny_with: string | null;
  /** JSON of the rule that decided; null where none matched. */
  readonly rule: string | null;
  /** JSON of what the rules were asked about. */
  readonly request: string | null;
  readonly event_id: string | null;
  /** JSON of the event; null where the request was refused. */
  readonly body: string | null;
}

/** How often a rule decided. */
export interface RuleHits {
  /** ID of the rule, which may be gone by now; null: no rule matched. */
  readonly rule: string | null;
  readonly hits: number;
  readonly last: string;
}

/** What has happened of late in the workspaces; it only reads. */
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

  /** How often each rule of a workspace decided, of the decisions that are kept. */
  ruleHits(workspace: Region): RuleHits[] {
    return this.db.all(
      `SELECT rule ->> '$.id' AS rule, count(*) AS hits, max(at) AS last
         FROM decisions WHERE workspace = ? GROUP BY 1`,
      workspace,
    );
  }

  /** Grows with every change of whatever is stored. */
  changes(): number {
    const row = this.db.get<{ n: number }>("SELECT total_changes() AS n");
    return row?.n ?? 0;
  }
}

function listed(workspaces: readonly Region[]): string {
  return workspaces.map(() => "?").join();
}
