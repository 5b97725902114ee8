import type { FastifyRequest } from "fastify";
import type { Context } from "../context";
import type { Surface } from "../http/surface";
import { authenticate } from "./authenticate";
import { EVENT_ERRORS, refuseRequest } from "./event-errors";
import { eventOperations } from "./event-operations";
import { searchOperation } from "./search";
import { serveServerOperation } from "./serve-server-operation";
import { requestDeletion } from "./visitor-deletion";

/** Version 4 of the events API (docs/contract.md, "Events API"). */
export function eventsSurface(context: Context): Surface {
  return {
    name: "events",
    prefix: "/:region/v4",
    operations: [
      searchOperation(context),
      ...eventOperations(context),
      serveServerOperation("deleteVisitorData", (call) =>
        requestDeletion(context, call),
      ),
    ],
    errors: [400, 403, 429],
    errorFormat: EVENT_ERRORS,
    refuse: refuseRequest,
    takesAnyType: true,
    takesKey: true,
    guard: (request) => {
      const key = authenticate(
        request,
        "Authorization: Bearer <secret API key>",
      );
      context.rateLimiter.take("events", key, tooMany(request));
    },
  };
}

/** The published messages: a search has one of its own (docs/contract.md, "Events errors"). */
function tooMany({ method, routeOptions }: FastifyRequest): string {
  const isSearch = method === "GET" && routeOptions.url?.endsWith("/events");
  return isSearch ? "too many search requests" : "too many requests";
}
