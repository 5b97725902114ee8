import type { FastifyRequest } from "fastify";
import type { Context } from "../../context";
import { AnswerError } from "../../http/answer-error";
import { operation, type Operation } from "../../http/operation";
import { type Condition, eventConditions } from "../../store/event-conditions";
import { settingsOf } from "../../workspace/settings";
import { updateEvent } from "../events-surface";
import { findEvents, searchOf } from "../search";
import { type ParameterTable, SERVER_OPERATIONS } from "@devid/sdk/wire/events";
import { querySchema } from "../query-schema";
import { requestDeletion } from "../visitor-deletion";
import { eventOf, visibilityOf, visibleEvent } from "../visible-events";
import { LEGACY_ERRORS } from "./legacy-errors";
import { legacyEvent, legacyVisit } from "./legacy-event";
import {
  LEGACY_RELATED_PARAMETERS,
  LEGACY_SEARCH_PARAMETERS,
  LEGACY_VISITOR_PARAMETERS,
  LegacyEvent,
  LegacyRelatedVisitors,
  LegacySearchAnswer,
  LegacyUpdate,
  LegacyVisitorAnswer,
} from "./legacy-schemas";

const MEANING = "The secret API key, where the header Auth-API-Key is missing.";

/**
 * Query parameters that may carry the key; the first one present counts
 * (docs/assumptions.md, A63).
 */
const KEY_PARAMETERS = { apiKey: MEANING, api_key: MEANING };

/**
 * The key of a call of version 3, from the header or else from the query
 * (docs/contract.md, "Legacy authentication").
 */
export function legacyToken({
  headers,
  query,
}: FastifyRequest): string | undefined {
  const given = query as Record<string, unknown>;
  const inQuery = Object.keys(KEY_PARAMETERS).map((name) => given[name]);
  return [headers["auth-api-key"], ...inQuery].find(
    (token): token is string => typeof token === "string" && token !== "",
  );
}

/** The schema of a query, which may also have the key. */
const querySchemaOf = <const T extends ParameterTable>(table: T) =>
  querySchema(table, KEY_PARAMETERS);

/** The operations of version 3 (docs/contract.md, "Legacy operations"). */
export function legacyOperations(context: Context): Operation[] {
  const { store } = context;
  return [
    legacySearchOperation(context),
    visitorOperation(context),
    relatedVisitorsOperation(context),
    operation({
      ...SERVER_OPERATIONS.deleteVisitorData,
      name: "deleteLegacyVisitorData",
      query: querySchemaOf({}),
      errorFormat: LEGACY_ERRORS,
      run: (call) => requestDeletion(context, call),
    }),
    operation({
      name: "getLegacyEvent",
      method: "GET",
      path: "/events/:request_id",
      summary: "Get an event in the form of version 3",
      query: querySchemaOf({}),
      answer: LegacyEvent,
      run: (call) => {
        const visibility = visibilityOf(store, call);
        const { body } = eventOf(store, call, visibility);
        return legacyEvent(visibleEvent(body, visibility), visibility.hidden);
      },
    }),
    operation({
      name: "updateLegacyEvent",
      method: "PUT",
      path: "/events/:request_id",
      summary: "Change the given members of an event",
      query: querySchemaOf({}),
      body: LegacyUpdate,
      errors: [409],
      run: (call) => {
        const { linkedId: linked_id, tag: tags, suspect } = call.body;
        updateEvent(context, call, { linked_id, tags, suspect });
      },
    }),
  ];
}

/**
 * The most events on a page, however many a call asks for (docs/assumptions.md,
 * A62).
 */
const MAX_PAGE = 500;

/** `GET /events/search`: the search of version 4 in the form of version 3. */
function legacySearchOperation(context: Context): Operation {
  return operation({
    name: "searchLegacyEvents",
    method: "GET",
    path: "/events/search",
    summary: "Search events, answered in the form of version 3",
    query: querySchemaOf(LEGACY_SEARCH_PARAMETERS),
    answer: LegacySearchAnswer,
    errors: [504],
    run: async (call) => {
      const {
        limit,
        ip_blocklist,
        datacenter,
        proximity_precision_radius,
        ...search
      } = call.query;
      const old = { ip_blocklist, datacenter, proximity_precision_radius };
      const visibility = visibilityOf(context.store, call);
      const { hidden } = visibility;
      const asked = searchOf(
        context,
        call,
        visibility,
        "legacy search",
        search,
        old,
      );
      const { bodies, paginationKey } = await findEvents(
        context,
        call,
        visibility,
        {
          ...asked,
          conditions: [...asked.conditions, ...droppedConditions(old, hidden)],
          limit: Math.min(limit, MAX_PAGE),
        },
      );
      return {
        events: bodies.map((body) =>
          legacyEvent(visibleEvent(body, visibility), visibility.hidden),
        ),
        paginationKey,
      };
    },
  });
}

/**
 * Filters that version 4 has dropped (docs/contract.md, "Legacy operations"): the member
 * of an event that each reads, and the fields in it, of which the greater counts. They
 * have no columns, so the conditions read the stored events.
 */
const DROPPED = {
  ip_blocklist: ["ip_blocklist", "email_spam", "attack_source"],
  datacenter: ["ip_info", "v4.datacenter_result", "v6.datacenter_result"],
  proximity_precision_radius: ["proximity", "precision_radius"],
} as const;

type DroppedFilters = {
  readonly [Name in keyof typeof DROPPED]?: boolean | number | undefined;
};

/** The conditions of these filters. A hidden member counts as absent. */
function droppedConditions(
  filters: DroppedFilters,
  hidden: ReadonlySet<string>,
): Condition[] {
  return Object.entries(DROPPED).flatMap(([name, [member, ...fields]]) => {
    const value = filters[name as keyof DroppedFilters];
    if (value === undefined) return [];
    if (hidden.has(member)) return [{ sql: "FALSE", values: [] }];
    const [one, other = one] = fields.map((field) => `${member}.${field}`);
    return [{ sql: either(one, other), values: [Number(value)] }];
  });
}

/** Compares the greater of two fields. An absent field is ignored. */
function either(one = "", other = ""): string {
  return `(
    SELECT max(coalesce(one, other), coalesce(other, one)) = ? FROM (
      SELECT json_extract(body, '$.${one}') AS one, json_extract(body, '$.${other}') AS other
        FROM event_bodies WHERE event_bodies.seq = events.seq))`;
}

/**
 * The number of visits on a page without a `limit` (docs/assumptions.md, A62).
 */
const DEFAULT_PAGE = 100;

/**
 * `GET /visitors/{visitor_id}`: all events of a visitor as flat visits, the
 * newest first.
 */
function visitorOperation(context: Context): Operation {
  const { store, clock } = context;
  return operation({
    name: "listLegacyVisits",
    method: "GET",
    path: "/visitors/:visitor_id",
    summary: "List the visits of a visitor, in the form of version 3",
    query: querySchemaOf(LEGACY_VISITOR_PARAMETERS),
    answer: LegacyVisitorAnswer,
    errors: [504],
    run: async (call) => {
      const { id: visitor_id } = call;
      const { request_id, linked_id, limit, before } = call.query;
      const visibility = visibilityOf(store, call);
      const all = {
        conditions: eventConditions({ visitor_id }, visibility.hidden),
        startMs: 0,
        endMs: clock.nowMs(),
        reverse: false,
        limit: 1,
        identity: ["legacy visits", visitor_id, request_id, linked_id, before],
      };
      const find = (search: typeof all & { paginationKey?: string }) =>
        findEvents(context, call, visibility, search);
      const { bodies, last, paginationKey } = await find({
        ...all,
        conditions: [
          ...all.conditions,
          ...named("event_id", request_id),
          ...named("linked_id", linked_id),
        ],
        endMs: before === undefined ? all.endMs : before - 1,
        limit: Math.min(limit ?? DEFAULT_PAGE, MAX_PAGE),
        paginationKey: call.query.paginationKey,
      });
      if (!last && !(await find(all)).last)
        throw new AnswerError("visitor_not_found", "visitor not found");
      return {
        visitorId: visitor_id,
        visits: bodies.map((body) =>
          legacyVisit(visibleEvent(body, visibility)),
        ),
        ...(paginationKey && { paginationKey, lastTimestamp: last?.timestamp }),
      };
    },
  });
}

function named(
  column: "event_id" | "linked_id",
  value: string | undefined,
): Condition[] {
  return value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }];
}

/**
 * How far back the events of related visitors may be: 6 months
 * (docs/assumptions.md, A188).
 */
const REACH_MS = 180 * 24 * 60 * 60 * 1000;

/**
 * `GET /related-visitors`: the other visitors that are browsers of the same
 * mobile device. A control call says which they are.
 */
function relatedVisitorsOperation({ store, clock }: Context): Operation {
  return operation({
    name: "listLegacyRelatedVisitors",
    method: "GET",
    path: "/related-visitors",
    summary: "List the visitors that are browsers of the same mobile device",
    description:
      "The setting relatedVisitors has to be on. Looks back 6 months. POST /_local/{region}/related-visitors says which visitors are related.",
    query: querySchemaOf(LEGACY_RELATED_PARAMETERS),
    answer: LegacyRelatedVisitors,
    errors: [404],
    run: (call) => {
      const { workspace, query } = call;
      if (!settingsOf(store, workspace).relatedVisitors)
        throw new AnswerError(
          "feature_not_enabled",
          `feature not enabled: related visitors; POST /_local/${workspace}/settings with {"relatedVisitors": true} enables it`,
        );
      const { environment } = visibilityOf(store, call);
      const isSeen = (visitorId: string, sinceMs: number) =>
        store.events.has({
          workspace,
          visitorId,
          sinceMs,
          environment: environment ?? undefined,
        });
      const { visitor_id: visitorId } = query;
      if (!isSeen(visitorId, 0))
        throw new AnswerError("visitor_not_found", "visitor not found");
      const sinceMs = clock.nowMs() - REACH_MS;
      const related = store.visitors
        .relatedTo(workspace, visitorId)
        .filter((other) => isSeen(other, sinceMs));
      return {
        relatedVisitors: related.map((other) => ({ visitorId: other })),
      };
    },
  });
}
