import type { Context } from "../../context";
import { AnswerError } from "../../http/answer-error";
import type { Operation } from "../../http/operation";
import { type Condition, eventConditions } from "../../store/event-conditions";
import { findEvents } from "../find-events";
import { serveServerOperation } from "../serve-server-operation";
import { visibilityOf, visibleEvent } from "../visible-events";
import { legacyVisit } from "./legacy-event";
import { KEY_PARAMETERS } from "./legacy-query";
import { MAX_PAGE } from "./search-operation";

/**
 * The number of visits on a page without a `limit` (docs/assumptions.md, A62).
 */
const DEFAULT_PAGE = 100;

/**
 * `GET /visitors/{visitor_id}`: all events of a visitor as flat visits, the
 * newest first.
 */
export function visitorOperation(context: Context): Operation {
  const { store, clock } = context;
  return serveServerOperation(
    "listLegacyVisits",
    async (call) => {
      const { id: visitor_id, workspace, signal } = call;
      const { request_id, linked_id, limit, before } = call.query;
      const visibility = visibilityOf(store, call);
      const { environment, conditions } = visibility;
      const filters = { request_id, linked_id, before };
      const all = {
        workspace,
        conditions: [
          ...conditions,
          ...eventConditions({ visitor_id }, visibility.hidden),
        ],
        startMs: 0,
        endMs: clock.nowMs(),
        reverse: false,
        limit: 1,
        identity: JSON.stringify([
          "legacy visits",
          workspace,
          environment,
          visitor_id,
          filters,
        ]),
        signal,
      };
      const { bodies, last, paginationKey } = await findEvents(context, {
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
      if (!last && (await findEvents(context, all)).last === undefined)
        throw new AnswerError("visitor_not_found", "visitor not found");
      return {
        visitorId: visitor_id,
        visits: bodies.map((body) =>
          legacyVisit(visibleEvent(body, visibility)),
        ),
        ...(paginationKey && { paginationKey, lastTimestamp: last?.timestamp }),
      };
    },
    { below: "/visitors", ignored: KEY_PARAMETERS, errors: [504] },
  );
}

function named(
  column: "event_id" | "linked_id",
  value: string | undefined,
): Condition[] {
  return value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }];
}
