import { markup, type Markup, type MarkupPart } from "@devid/rules/internals";
import type { Region } from "@devid/sdk";
import type { Context } from "../context";
import type { LoggedRequest } from "../http/request-log";
import type { RuleHits, VisitRow } from "../store/activity";
import type {
  DeliveryAttempt,
  Delivery,
  DeliveryRow,
} from "../store/deliveries";
import type { FilteringRuleRow } from "../store/schema";
import { actionOf, badge, ruleName, rulePlaygroundPath, short } from "./html";
import { table, time, type Column, type Section, type Tone } from "./html";

/** A section of the console that is a table. */
interface Table<Row> {
  /** The ID of its element, and its name in addresses. */
  readonly id: string;
  readonly title: string;
  /** The sentence in place of rows. */
  readonly empty: string;
  /** The first rows, at most as many as `limit`. */
  readonly read: (
    context: Context,
    regions: readonly Region[],
    limit: number,
  ) => readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** The call that lists all rows. */
  readonly all: string;
}

/**
 * How many rows of a table the console shows, in a narrow window (console.css) and in
 * a wide one, and how many the table's own page.
 */
const FEWEST = 5;
export const FEW = 10;
export const MOST = 50;

/**
 * The section's size is bounded by `limit` and by what a row shows, whatever is stored:
 * it is sent after every change.
 */
function tableOf<Row>(given: Table<Row>) {
  const { id, title, empty, read, columns, all } = given;
  const foot = (found: number, limit: number, region: Region | undefined) => {
    if (limit < MOST && found > FEWEST)
      return markup`<a href="/console/${id}${region && `?region=${region}`}"
        >${title}, up to ${MOST}</a
      >`;
    if (limit === MOST && found > MOST)
      return markup`These are ${MOST};
        <code>GET ${all.replace("{region}", region ?? "{region}")}</code> lists
        all that are kept.`;
    return undefined;
  };
  return {
    id,
    title,
    /** The section with the first `limit` rows. */
    section: (
      context: Context,
      regions: readonly Region[],
      limit: number,
    ): Section => {
      const found = read(context, regions, limit + 1);
      const only = regions.length === 1 ? regions[0] : undefined;
      const content =
        found.length === 0
          ? markup`<p class="empty">${empty}</p>`
          : markup`${table(title, found.slice(0, limit), columns)}
              <p>${foot(found.length, limit, only)}</p>`;
      return { id, title, content };
    },
  };
}

/** A link to the page of a row. An update finds the link by its ID, to keep the focus. */
const opens = (href: string, words: MarkupPart) =>
  markup`<a id="${href}" href="${href}">${words}</a>`;

/** Identifications, with the rule that allowed or denied each and the event that it led to. */
const visits = tableOf<VisitRow>({
  id: "visits",
  title: "Live events",
  empty: "No event yet. Open a page of your own that loads the agent.",
  read: ({ store }, regions, limit) => store.activity.visits(regions, limit),
  columns: [
    [
      "Time",
      ({ workspace, decision, event_id, at }) => [
        opens(
          decision === null
            ? `/console/events/${workspace}/${event_id}`
            : `/console/decisions/${workspace}/${decision}`,
          time(at),
        ),
        event_id !== null && markup` <small><code>${event_id}</code></small>`,
      ],
    ],
    ["Workspace", ({ workspace }) => workspace],
    ["Result", ({ result }) => resultOf(result)],
    ["Rule", ruleOf],
    ["Page", ({ page }) => short(page), "long"],
    ["Visitor", visitorOf],
    [
      "From",
      ({ ip, browser, user_agent }) => [
        short(ip),
        (browser ?? user_agent) !== null &&
          markup` <small>${short(browser ?? user_agent)}</small>`,
      ],
    ],
  ],
  all: "/_local/{region}/decisions",
});

/** How a visit ended, as a badge. */
export function resultOf(result: VisitRow["result"]): Markup {
  if (result === null) return badge("plain", "stored");
  return result === "allow" ? badge("good", "let in") : badge("bad", "refused");
}

function ruleOf({ decision, rule }: VisitRow): MarkupPart {
  if (decision === null) return "a control call";
  return rule === null ? "no rule matched" : ruleName(rule);
}

function visitorOf(visit: VisitRow): MarkupPart {
  const { event_id, visitor_id, is_known, suspect_score: score, bot } = visit;
  if (event_id === null) return undefined;
  return [
    visitor_id !== null && markup`<code>${short(visitor_id)}</code>`,
    is_known === 1 && badge("plain", "known"),
    (bot === "bad" || bot === "good") && badge("wait", `${bot} bot`),
    (score ?? 0) > 0 && badge("wait", `suspect ${score}`),
  ].map((part) => part && [part, " "]);
}

/** A rule, the name of its environment, and how often it has decided. */
interface RuleRow {
  readonly rule: FilteringRuleRow;
  readonly environment: string;
  readonly hits: RuleHits | undefined;
}

const rules = tableOf<RuleRow>({
  id: "rules",
  title: "Rule hits",
  empty: "There are no filtering rules: every request is let in.",
  read: (context, regions, limit) =>
    regions
      .flatMap((region) => rulesOf(context, region, limit))
      .slice(0, limit),
  columns: [
    ["Workspace", ({ rule }) => rule.workspace],
    ["Environment", ({ environment }) => short(environment)],
    [
      "Rule",
      ({ rule: { workspace, environment, name, status } }) =>
        markup`<a href="${rulePlaygroundPath(workspace, { environment })}">${ruleName(name)}</a>
        ${status === "disabled" && badge("plain", "disabled")}`,
    ],
    ["Does", ({ rule }) => actionOf(rule.action)],
    [
      "Where",
      ({ rule }) => markup`<code>${short(rule.expression)}</code>`,
      "long",
    ],
    ["Hits", ({ hits }) => markup`<b>${hits?.hits ?? 0}</b>`],
    ["First hit", ({ hits }) => hits && time(hits.first)],
    ["Last hit", ({ hits }) => hits && time(hits.last)],
  ],
  all: "/management/filtering-rules",
});

/** The rules in the order in which they are evaluated. One that was written again keeps its hits. */
function rulesOf({ store }: Context, region: Region, limit: number): RuleRow[] {
  const hits = store.activity.ruleHits(region);
  const { rows } = store.environments.page(region, {}, limit);
  return rows.flatMap(({ id: environment, name }) =>
    store.filteringRules.list(region, { environment }, limit).map((rule) => ({
      rule,
      environment: name,
      hits: hits.find(
        (hit) =>
          hit.environment === environment &&
          hit.name === rule.name &&
          hit.expression === rule.expression,
      ),
    })),
  );
}

/** A delivery without its body, and its attempts. */
interface DeliveryLine extends Omit<DeliveryRow, "body"> {
  readonly attempts: readonly DeliveryAttempt[];
}

/** How many attempts a row shows; a service that is often killed makes more. */
const SHOWN_ATTEMPTS = 5;

const deliveries = tableOf<DeliveryLine>({
  id: "deliveries",
  title: "Webhook deliveries",
  empty:
    "Nothing has been delivered yet: events go to enabled, verified webhooks.",
  read: ({ store }, regions, limit) =>
    store.deliveries
      .latest(regions, limit)
      .map((row) => ({ ...row, attempts: store.deliveries.attempts(row.seq) })),
  columns: [
    [
      "Made",
      ({ seq, made_at }) => opens(`/console/deliveries/${seq}`, time(made_at)),
    ],
    ["Workspace", ({ workspace }) => workspace],
    [
      "Webhook",
      ({ webhook, attempts }) =>
        markup`<code>${webhook}</code>
          <small>${short(attempts.at(-1)?.url)}</small>`,
      "long",
    ],
    [
      "Event",
      ({ event_id, kind }) =>
        markup`<code>${event_id}</code>
          ${kind === "test" && badge("plain", "test event")}`,
    ],
    ["State", stateOf],
    [
      "Answers",
      ({ attempts }) =>
        attempts
          .slice(-SHOWN_ATTEMPTS)
          .map((attempt) => markup`${answerOf(attempt)} `),
    ],
  ],
  all: "/_local/{region}/deliveries",
});

const STATE_TONES = {
  pending: "wait",
  sending: "wait",
  delivered: "good",
  failed: "bad",
  given_up: "bad",
  dropped: "plain",
} as const;

/** The state of a delivery, as a badge, and when a failed one is sent again. */
export function stateOf({
  state,
  due_at,
  attempts,
}: Pick<Delivery | DeliveryLine, "state" | "due_at" | "attempts">): Markup {
  const name = state === "given_up" ? "given up" : state;
  return markup`${badge(STATE_TONES[state], name)}
    ${due_at !== null && attempts.length > 0 && markup`retry at ${time(due_at)}`}`;
}

/** What an attempt was answered, as a badge. */
function answerOf({ status, error }: DeliveryAttempt): Markup {
  if (status !== null) return badge(status < 300 ? "good" : "bad", status);
  return error === null ? badge("wait", "waiting") : badge("bad", "no answer");
}

const requests = tableOf<LoggedRequest>({
  id: "requests",
  title: "Requests",
  empty: "No request yet. Control calls and this page are not counted.",
  read: ({ requestLog }, regions, limit) =>
    requestLog
      .since(0)
      .filter((request) => isOf(request, regions))
      .slice(-limit)
      .reverse(),
  columns: [
    ["No.", ({ n }) => n],
    ["Time", ({ at }) => time(at)],
    [
      "Request",
      ({ method, path }) =>
        markup`<b>${method}</b> <code>${short(path)}</code>`,
      "long",
    ],
    ["Status", ({ status }) => badge(toneOf(status), status || "none")],
    ["Surface", ({ surface }) => surface],
    ["Key", ({ key }) => key ?? "none"],
  ],
  all: "/_local/requests",
});

/**
 * Whether a request belongs to one of the regions: the first part of its path, or of the
 * name of its key, may say so. A request that names no region belongs to every region.
 */
function isOf(
  { key, path }: LoggedRequest,
  regions: readonly Region[],
): boolean {
  const named = /^\/(us|eu|ap)\//.exec(path) ?? /^(us|eu|ap) /.exec(key ?? "");
  return named === null || regions.some((region) => region === named[1]);
}

function toneOf(status: number): Tone {
  if (status === 0) return "wait";
  if (status === 429 || status >= 500) return "bad";
  return status < 400 ? "good" : "plain";
}

/** The tables of the console, from top to bottom. */
export const TABLES = [visits, rules, deliveries, requests];
