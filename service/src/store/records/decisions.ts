import type { RuleRequest } from "@devid/rules";
import type { Region } from "@devid/sdk";
import type { Clock } from "../../clock";
import type { Database } from "../database/database";

/** What the rules of an environment decided about a request. */
export interface Decision {
  readonly environment: string;
  /** ID of the public key of the request. */
  readonly key: string;
  readonly result: "allow" | "deny";
  /** The answer to a denied request. */
  readonly deny_with: string | null;
  /** The rule that decided, as it was at that time; null where none matched. */
  readonly rule: {
    readonly id: string;
    readonly name: string;
    readonly expression: string;
  } | null;
  /** The event of the request; null where the request was denied. */
  readonly event_id: string | null;
  /** The request that the rules were evaluated on. */
  readonly request: RuleRequest;
}

/** A stored decision. `n` grows and is never used twice. */
type NumberedDecision = Decision & {
  readonly n: number;
  readonly at: string;
};

/** How many decisions are kept in all workspaces together. */
const KEPT = 20_000;

/** The last decisions of all workspaces. */
export class Decisions {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  add(workspace: Region, decision: Decision): void {
    const { environment, key, result, deny_with, rule, event_id } = decision;
    this.db.run(
      `INSERT INTO decisions
         (workspace, at, environment, key, result, deny_with, rule, event_id, request)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      workspace,
      this.clock.now(),
      environment,
      key,
      result,
      deny_with,
      rule && JSON.stringify(rule),
      event_id,
      JSON.stringify(decision.request),
    );
    this.db.run(
      "DELETE FROM decisions WHERE seq <= last_insert_rowid() - ?",
      KEPT,
    );
  }

  /** Deletes the decisions whose events have been deleted. */
  deleteWithoutEvent(workspace: Region): void {
    this.db.run(
      `DELETE FROM decisions
        WHERE workspace = ? AND event_id IS NOT NULL
          AND NOT EXISTS (
            SELECT 1 FROM events INDEXED BY events_by_id
             WHERE events.workspace = decisions.workspace
               AND events.event_id = decisions.event_id)`,
      workspace,
    );
  }

  /** The decisions with a higher number, at most the last 20,000. */
  since(workspace: Region, n: number): NumberedDecision[] {
    const rows = this.db.all<
      Record<"rule", string | null> &
        Record<"request", string> &
        Omit<NumberedDecision, "rule" | "request">
    >(
      `SELECT seq AS n, at, environment, key, result, deny_with, rule, event_id, request
         FROM decisions WHERE workspace = ? AND seq > ? ORDER BY seq`,
      workspace,
      n,
    );
    // The texts were written by `add`.
    return rows.map(({ rule, request, ...row }) => ({
      ...row,
      rule: rule === null ? null : (JSON.parse(rule) as Decision["rule"]),
      request: JSON.parse(request) as RuleRequest,
    }));
  }
}
