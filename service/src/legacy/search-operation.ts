import { LEGACY_SEARCH_PARAMETERS, LegacySearchAnswer } from "@devid/sdk/wire";
import type { Context } from "../context";
import { findEvents } from "../events/find-events";
import { querySchema } from "../events/query-schema";
import { refuseRequest } from "../events/refuse-request";
import { ANY_AGE, searchWindow } from "../events/search-window";
import { settingsOf } from "../events/settings";
import { sightOf, visibleEvent } from "../events/visible-events";
import { operation, type Operation } from "../http/operation";
import { eventConditions } from "../store/event-conditions";
import { KEY_PARAMETERS } from "./credentials";
import { legacyEvent } from "./from-event";
import { oldConditions } from "./old-conditions";

/** Most events of a page, whatever is asked for (docs/assumptions.md, A62). */
export const MAX_PAGE = 500;

/** `GET /events/search`: the search of version 4 under its old names. */
export function searchOperation(context: Context): Operation {
  const { store, clock } = context;
  return operation({
    name: "searchLegacyEvents",
    method: "GET",
    path: "/search",
    summary: "Search events, in the shape of version 3",
    query: querySchema(LEGACY_SEARCH_PARAMETERS, KEY_PARAMETERS),
    refuse: refuseRequest,
    status: 200,
    answer: LegacySearchAnswer,
    errors: [504],
    run: async (call) => {
      const {
        limit,
        pagination_key,
        reverse = false,
        start,
        end,
        ip_blocklist,
        datacenter,
        proximity_precision_radius,
        ...filters
      } = call.query;
      const { workspace, signal } = call;
      const sight = sightOf(store, call);
      const old = { ip_blocklist, datacenter, proximity_precision_radius };
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
          ...oldConditions(old, sight.hidden),
        ],
        ...searchWindow(range, clock.nowMs(), lookbackDays),
        reverse,
        limit: Math.min(limit, MAX_PAGE),
        identity: JSON.stringify([
          "legacy search",
          workspace,
          sight.environment,
          { reverse, ...range, ...filters, ...old },
        ]),
        paginationKey: pagination_key,
        signal,
      });
      return {
        events: found.bodies.map((body) =>
          legacyEvent(visibleEvent(body, sight)),
        ),
        paginationKey: found.paginationKey,
      };
    },
  });
}
