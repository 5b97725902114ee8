import { EVENT_SEARCH_PARAMETERS, EventSearchAnswer } from "@devid/sdk/wire";
import type { Context } from "../context";
import { JsonText, operation, type Operation } from "../http/operation";
import { eventConditions } from "../store/events/event-conditions";
import { refuseRequest } from "./event-errors";
import { ANY_AGE, findEvents, searchWindow } from "./find-events";
import { querySchema } from "./query-schema";
import { settingsOf } from "./settings";
import { sightOf, visibleText } from "./visible-events";

/** Events of a page that names no `limit`. */
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
      const sight = sightOf(store, call);
      const range = { start, end };
      // The next pages have the range of the first, however old it is by then.
      const { lookbackDays } = pagination_key
        ? ANY_AGE
        : settingsOf(store, workspace);
      const found = await findEvents(context, {
        workspace,
        conditions: [
          ...sight.conditions,
          ...eventConditions(filters, sight.hidden),
        ],
        ...searchWindow(range, clock.nowMs(), lookbackDays),
        reverse,
        limit,
        identity: JSON.stringify([
          "events",
          workspace,
          sight.environment,
          { reverse, ...range, ...filters },
        ]),
        totalHits: total_hits,
        paginationKey: pagination_key,
        signal,
      });
      const events = found.bodies.map((body) => visibleText(body, sight));
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
