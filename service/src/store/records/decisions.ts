import type { RuleRequest } from "@devid/rules";
import type { Region } from "@devid/sdk";
import type { Clock } from "../../clock";
import type { Database } from "../database/database";

/** What the rules of an environment said of one request. */
export interface Decision {
  readonly environment: string;
  /** ID of the public key that the request came with. */
  readonly key: string;
  readonly result: "allow" | "deny";
  /** How a denied request was answered. */
  readonly deny_with: string | null;
  /** The rule that decided, as it was then; null where none matched. */
  readonly rule: {
    readonly id: string;
    readonly name: string;
    readonly expression: string;
  } | null;
  /** The event that came of it; null where the request was denied. */
  readonly event_id: string | null;
  /** What the rules were asked about. */
  readonly request: RuleRequest;
}

/** A stored decision: its number grows, and is never given twice. */
type NumberedDecision = Decision & {
  readonly n: number;
  readonly at: string;
};

/** How many are kept, of all workspaces together. */
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

  /** The decisions behind the given number, at most the last 20,000. */
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
    // What is stored was written by `add`.
    return rows.map(({ rule, request, ...row }) => ({
      ...row,
      rule: rule === null ? null : (JSON.parse(rule) as Decision["rule"]),
      request: JSON.parse(request) as RuleRequest,
    }));
  }
}
