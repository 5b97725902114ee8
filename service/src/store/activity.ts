import type { Region } from "@devid/sdk";
import type { Clock } from "../clock";
import type { Db } from "./db";
import type { Decision } from "./decisions";

/**
 * A request for identification and its result, as a line of the console shows
 * it. Texts that somebody else chose are cut off.
 */
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
  /** The name of the rule that decided; null if no rule matched. */
  readonly rule: string | null;
  /** Null for a denied request, like all members that come from the event. */
  readonly event_id: string | null;
  readonly visitor_id: string | null;
  /** 1 for a visitor who was seen before. */
  readonly is_known: number | null;
  readonly bot: string | null;
  readonly suspect_score: number | null;
  /** The URL of the event; if unknown, its app; otherwise the origin of the request. */
  readonly page: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  /** Name, version and system of the browser, if the event has them. */
  readonly browser: string | null;
}

/** A decision of the rules with all that is stored about it. */
export interface DecidedVisit extends Omit<
  Decision,
  "key" | "rule" | "request"
> {
  readonly n: number;
  readonly workspace: Region;
  readonly at: string;
  /** JSON of the request that the rules were evaluated on. */
  readonly request: string;
  readonly rule: { readonly name: string; readonly expression: string } | null;
  /** JSON of the event; null for a denied request. */
  readonly body: string | null;
}

/** How often the rules of one environment with the same name and expression have decided. */
export interface RuleHits {
  readonly environment: string;
  readonly name: string;
  readonly expression: string;
  readonly hits: number;
  readonly first: string;
  readonly last: string;
}

/** How many characters of a text are read. Longer user agents are not parsed. */
const READ = 2_049;

/**
 * Largest event or request whose JSON is searched for the details of a line. Thirty
 * larger ones would take a second.
 */
const SEARCHED_BYTES = 65_536;

/** SQL for the value at a path of a JSON text; null if the text is large. */
function valueAt(json: string, path: string): string {
  return `CASE WHEN octet_length(${json}) <= ${SEARCHED_BYTES} THEN ${json} ->> '$.${path}' END`;
}

/** SQL for the beginning of the text at a path of a JSON text. */
function textAt(json: string, path: string): string {
  return `substr(${valueAt(json, path)}, 1, ${READ})`;
}

/** SQL for the columns of a visit that come from its event. */
const OF_EVENT = `
  events.event_id, events.bot, events.suspect_score,
  substr(events.identification_visitor_id, 1, ${READ}) AS visitor_id,
  ${valueAt("body", "identification.visitor_found")} AS is_known,
  ${textAt("body", "browser_details.browser_name")}
    || coalesce(' ' || nullif(${textAt("body", "browser_details.browser_major_version")}, ''), '')
    || coalesce(', ' || nullif(${textAt("body", "browser_details.os")}, ''), '') AS browser`;

const PAGE = `substr(coalesce(events.url, events.package_name, events.bundle_id), 1, ${READ})`;

/** Reads what has happened lately in the workspaces. */
export class Activity {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  /**
   * The last visits, the newest first. Those of a time to come are last, because they
   * would hide new ones after the clock was moved back, by a control call or by a restart.
   */
  visits(workspaces: readonly Region[], limit: number): VisitRow[] {
    const now = this.clock.now();
    const order = (a: VisitRow, b: VisitRow) =>
      Number(a.at > now) - Number(b.at > now) ||
      Number(a.at < b.at) - Number(a.at > b.at);
    return workspaces
      .flatMap((workspace) => this.visitsOf(workspace, limit))
      .sort(order)
      .slice(0, limit);
  }

  private visitsOf(workspace: Region, limit: number): VisitRow[] {
    const decided = this.db.all<VisitRow>(
      `SELECT decisions.workspace, at, decisions.seq AS decision, result,
              substr(rule ->> '$.name', 1, ${READ}) AS rule, ${OF_EVENT},
              coalesce(${PAGE}, ${textAt("request", "headers.Origin[0]")}) AS page,
              coalesce(${textAt("body", "ip_address")}, ${textAt("request", "ip")}) AS ip,
              coalesce(${textAt("body", "user_agent")}, ${textAt("request", "userAgent")}) AS user_agent
         FROM decisions
         LEFT JOIN events
           ON events.workspace = decisions.workspace AND events.event_id = decisions.event_id
         LEFT JOIN event_bodies ON event_bodies.seq = events.seq
        WHERE decisions.workspace = ?
        ORDER BY decisions.seq DESC LIMIT ?`,
      workspace,
      limit,
    );
    const stored = this.db.all<VisitRow & { readonly timestamp: number }>(
      `SELECT workspace, timestamp, NULL AS decision, NULL AS result, NULL AS rule,
              ${OF_EVENT}, ${PAGE} AS page,
              ${textAt("body", "ip_address")} AS ip,
              ${textAt("body", "user_agent")} AS user_agent
         FROM events JOIN event_bodies USING (seq)
        WHERE workspace = ?
        ORDER BY events.seq DESC LIMIT ?`,
      workspace,
      limit,
    );
    const known = new Set(decided.map(({ event_id }) => event_id));
    const others = stored
      .filter(({ event_id }) => !known.has(event_id))
      .map(({ timestamp, ...row }) => ({
        ...row,
        at: new Date(timestamp).toISOString(),
      }));
    return [...decided, ...others];
  }

  /** One decision, and the event that it led to. */
  decision(workspace: Region, n: number): DecidedVisit | undefined {
    const row = this.db.get<
      Omit<DecidedVisit, "rule"> & { readonly rule: string | null }
    >(
      `SELECT decisions.workspace, environment, decisions.seq AS n, at, result, deny_with, rule,
              request, decisions.event_id, body
         FROM decisions
         LEFT JOIN events
           ON events.workspace = decisions.workspace AND events.event_id = decisions.event_id
         LEFT JOIN event_bodies ON event_bodies.seq = events.seq
        WHERE decisions.workspace = ? AND decisions.seq = ?`,
      workspace,
      n,
    );
    // The text was written when the decision was stored.
    const rule = JSON.parse(row?.rule ?? "null") as DecidedVisit["rule"];
    return row && { ...row, rule };
  }

  /**
   * How often each rule of a workspace has decided, counted over the stored
   * decisions. A rule keeps its hits when it is written again with a new ID.
   */
  ruleHits(workspace: Region): RuleHits[] {
    return this.db.all(
      `SELECT environment, rule ->> '$.name' AS name, rule ->> '$.expression' AS expression,
              count(*) AS hits, min(at) AS first, max(at) AS last
         FROM decisions
        WHERE workspace = ? AND rule IS NOT NULL
        GROUP BY environment, rule ->> '$.name', rule ->> '$.expression'`,
      workspace,
    );
  }
}
