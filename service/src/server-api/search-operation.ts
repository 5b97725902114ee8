import type { Context } from "../context";
import { JsonText, type Operation } from "../http/operation";
import { searchVisible } from "./search-visible";
import { serveServerOperation } from "./serve-server-operation";
import { visibleText } from "./visible-events";

/** The number of events on a page without a `limit`. */
const DEFAULT_LIMIT = 10;

/** `GET /events`: docs/contract.md, "GET /events". */
export function searchOperation(context: Context): Operation {
  return serveServerOperation(
    "searchEvents",
    async (call) => {
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
    { errors: [504] },
  );
}
