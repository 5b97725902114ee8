import type { RuleRequest } from "@devid/rules";
import type { Region } from "@devid/sdk";
import { z } from "zod";
import type { Clock } from "../clock";
import type { Db } from "./db";
import { BoundedLog, type LogBounds } from "./bounded-log";

/** A stored decision, as a control call lists it. */
export const NumberedDecision = z.object({
  /** Grows, and is never used twice. */
  n: z.int(),
  at: z.string(),
  environment: z.string(),
  /** ID of the public key of the request. */
  key: z.string(),
  result: z.enum(["allow", "deny"]),
  /** The answer to a denied request. */
  deny_with: z.string().nullable(),
  /** The rule that decided, as it was at that time; null if no rule matched. */
  rule: z
    .object({ id: z.string(), name: z.string(), expression: z.string() })
    .nullable(),
  /** The event of the request; null if the request was denied. */
  event_id: z.string().nullable(),
  request: z.looseObject({
    headers: z.record(z.string(), z.array(z.string())),
    ip: z.string().optional(),
    userAgent: z.string().optional(),
    sdkPlatform: z.string().optional(),
    sdkVersion: z.string().optional(),
    appPackageName: z.string().optional(),
  }),
});
type NumberedDecision = z.output<typeof NumberedDecision>;

/** What the rules of an environment decided about a request. */
export interface Decision extends Omit<
  NumberedDecision,
  "n" | "at" | "request"
> {
  readonly request: RuleRequest;
}

/** How much of the decisions is kept. */
export const DECISIONS_KEPT: LogBounds = {
  rows: 20_000,
  bytes: 32_000_000,
};

/** The last decisions of all workspaces. */
export class Decisions extends BoundedLog {
  constructor(
    db: Db,
    private readonly clock: Clock,
  ) {
    super(db, "decisions", "at", "event_id IS NOT NULL");
  }

  add(workspace: Region, decision: Decision): void {
    const rule = decision.rule && JSON.stringify(decision.rule);
    const request = JSON.stringify(decision.request);
    this.db.tx(() => {
      this.db.insert("decisions", {
        ...decision,
        workspace,
        at: this.clock.now(),
        rule,
        request,
        written:
          this.written() +
          Buffer.byteLength(request) +
          Buffer.byteLength(rule ?? ""),
      });
      this.dropOld(DECISIONS_KEPT);
    });
  }

  /** The decisions of a workspace with a higher number, the oldest first. */
  since(workspace: Region, n: number, limit: number): NumberedDecision[] {
    const rows = this.db.all<
      Record<"rule", string | null> &
        Record<"request", string> &
        Omit<NumberedDecision, "rule" | "request">
    >(
      `SELECT seq AS n, at, environment, key, result, deny_with, rule, event_id, request
         FROM decisions WHERE workspace = ? AND seq > ? ORDER BY seq LIMIT ?`,
      workspace,
      n,
      limit,
    );
    // The texts were written by `add`.
    return rows.map(({ rule, request, ...row }) => ({
      ...row,
      rule: rule === null ? null : (JSON.parse(rule) as Decision["rule"]),
      request: JSON.parse(request) as NumberedDecision["request"],
    }));
  }
}
