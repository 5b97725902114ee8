import {
  EVENT_SEARCH_PARAMETERS,
  EventSearchAnswer,
} from "@devid/sdk/wire/events";
import type { Context } from "../context";
import { JsonText, operation, type Operation } from "../http/operation";
import { eventConditions } from "../store/events/event-conditions";
import { refuseRequest } from "./event-errors";
import { ANY_AGE, findEvents, searchWindow } from "./find-events";
import { querySchema } from "./query-schema";
import { settingsOf } from "./settings";
import { visibilityOf, visibleText } from "./visible-events";

/** The number of events on a page without a `limit`. */
const DEFAULT_LIMIT = 10;

/** `GET /events`: docs/contract.md, "GET /events". */
export function searchOperation(context: Context): Operation {
  const { clock, store } = context;
  return operation({
    name: "searchEvents",
    method: "GET",
    path: "/events",
    summary: "Search events",
    query: querySchema(EVENT_SEARCH_PARAMETERS),
    refuse: refuseRequest,
    status: 200,
    answer: EventSearchAnswer,
    errors: [504],
    run: async (call) => {
      const {
        limit = DEFAULT_LIMIT,
        pagination_key,
        reverse = false,
        total_hits,
        start,
        end,
        ...filters
      } = call.query;
      const { workspace, signal } = call;
      const visibility = visibilityOf(store, call);
      const range = { start, end };
      // Later pages keep the range of the first one, however long ago that was.
      const { lookbackDays } = pagination_key
        ? ANY_AGE
        : settingsOf(store, workspace);
      const found = await findEvents(context, {
        workspace,
        conditions: [
          ...visibility.conditions,
          ...eventConditions(filters, visibility.hidden),
        ],
        ...searchWindow(range, clock.nowMs(), lookbackDays),
        reverse,
        limit,
        identity: JSON.stringify([
          "events",
          workspace,
          visibility.environment,
          { reverse, ...range, ...filters },
        ]),
        totalHits: total_hits,
        paginationKey: pagination_key,
        signal,
      });
      const events = found.bodies.map((body) => visibleText(body, visibility));
      const rest = JSON.stringify({
        pagination_key: found.paginationKey,
        total_hits: found.totalHits,
      });
      return new JsonText(
        `{"events":[${events.join()}]${rest === "{}" ? "" : `,${rest.slice(1, -1)}`}}`,
      );
    },
  });
}
