import type { Event } from "@devid/sdk";
import { type EventUpdate, SERVER_OPERATIONS } from "@devid/sdk/wire/events";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Context } from "../context";
import { AnswerError } from "../http/answer-error";
import { secretKeyFor } from "../http/caller";
import {
  type Call,
  JsonText,
  operation,
  type Operation,
} from "../http/operation";
import type { Surface } from "../http/surface";
import { EVENT_ERRORS, refuseBody, refuseRequest } from "./event-errors";
import { querySchema } from "./query-schema";
import { judgeEvent, rulesetOf } from "./ruleset";
import { searchOperation } from "./search";
import { eventOf, visibilityOf } from "./visible-events";
import { visibleEvent, visibleText } from "./visible-events";
import { requestDeletion } from "./visitor-deletion";

/** Version 4 of the events API (docs/contract.md, "Events API"). */
export function eventsSurface(context: Context): Surface {
  return {
    name: "events",
    prefix: "/:region/v4",
    operations: [
      searchOperation(context),
      ...eventOperations(context),
      operation({
        ...SERVER_OPERATIONS.deleteVisitorData,
        query: querySchema({}),
        run: (call) => requestDeletion(context, call),
      }),
    ],
    errors: [400, 403, 429],
    errorFormat: EVENT_ERRORS,
    refuse: refuseRequest,
    takesAnyType: true,
    takesKey: true,
    guard: (request) => {
      const key = secretKeyFor(
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

/**
 * The operations on a single event: docs/contract.md, "GET /events/{event_id}"
 * and "PATCH /events/{event_id}".
 */
function eventOperations(context: Context): Operation[] {
  const { store } = context;
  return [
    operation({
      ...SERVER_OPERATIONS.getEvent,
      query: querySchema(SERVER_OPERATIONS.getEvent.query),
      errors: [504],
      run: (call) => {
        const visibility = visibilityOf(store, call);
        const { body } = eventOf(store, call, visibility);
        const { ruleset_id } = call.query;
        if (ruleset_id === undefined)
          return new JsonText(visibleText(body, visibility));
        const ruleset = rulesetOf(store, call.workspace, ruleset_id);
        if (ruleset === undefined)
          throw new AnswerError("ruleset_not_found", "ruleset not found");
        // Signals that are switched off are hidden from rules as they are from
        // answers.
        const event = visibleEvent(body, visibility);
        return { ...event, rule_action: judgeEvent(ruleset, event) };
      },
    }),
    operation({
      ...SERVER_OPERATIONS.updateEvent,
      refuse: refuseBody,
      errors: [409],
      run: (call) => updateEvent(context, call, call.body),
    }),
  ];
}

/**
 * For how long an event can be changed: one month (docs/assumptions.md, A52).
 */
const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Changes the given members of the event that the path names (docs/contract.md,
 * "PATCH /events/{event_id}"). Throws AnswerError when there is no such event,
 * or when it is too new (docs/assumptions.md, A51) or too old.
 */
export function updateEvent(
  { store, clock, mutableAfterMs }: Context,
  call: Call,
  change: z.output<typeof EventUpdate>,
): void {
  const row = eventOf(store, call, visibilityOf(store, call));
  const ageMs = clock.nowMs() - row.timestamp;
  if (ageMs < mutableAfterMs)
    throw new AnswerError(
      "state_not_ready",
      "resource is not mutable yet, try again",
    );
  if (ageMs > MONTH_MS)
    throw new AnswerError(
      "request_cannot_be_parsed",
      "the event is older than 30 days and cannot be changed any more",
    );
  const given = Object.entries(change).filter(
    ([, value]) => value !== undefined,
  );
  store.events.replace(row.seq, {
    ...(JSON.parse(row.body) as Event),
    ...Object.fromEntries(given),
  });
}
