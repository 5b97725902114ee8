import {
  EVENT_SEARCH_PARAMETERS,
  EventSearchAnswer,
} from "@devid/sdk/wire/events";
import type { Context } from "../context";
import { JsonText, operation, type Operation } from "../http/operation";
import { querySchema } from "./query-schema";
import { searchVisible } from "./search-visible";
import { visibleText } from "./visible-events";

/** The number of events on a page without a `limit`. */
const DEFAULT_LIMIT = 10;

/** `GET /events`: docs/contract.md, "GET /events". */
export function searchOperation(context: Context): Operation {
  return operation({
    name: "searchEvents",
    method: "GET",
    path: "/events",
    summary: "Search events",
    query: querySchema(EVENT_SEARCH_PARAMETERS),
    answer: EventSearchAnswer,
    errors: [504],
    run: async (call) => {
      const { limit = DEFAULT_LIMIT, total_hits, ...search } = call.query;
      const { visibility, bodies, ...found } = await searchVisible(
        context,
        call,
        { kind: "events", limit, totalHits: total_hits, ...search },
      );
      const events = bodies.map((body) => visibleText(body, visibility));
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
