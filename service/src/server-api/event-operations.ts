import type { Event } from "@devid/sdk";
import { EventRecord, EventUpdate } from "@devid/sdk/wire";
import { z } from "zod";
import type { Context } from "../context";
import { AnswerError } from "../http/answer-error";
import {
  type Call,
  JsonText,
  operation,
  type Operation,
} from "../http/operation";
import { refuseBody, refuseRequest } from "./event-errors";
import { querySchema } from "./query-schema";
import { rulesetOf } from "./ruleset";
import { eventOf, sightOf, visibleEvent, visibleText } from "./visible-events";

const GetQuery = querySchema({
  ruleset_id: {
    kind: "text",
    matches: "judges the event; the verdict is in rule_action",
  },
});

/** The operations on one event: docs/contract.md, "GET /events/{event_id}" and "PATCH /events/{event_id}". */
export function eventOperations(context: Context): Operation[] {
  const { store } = context;
  return [
    operation({
      name: "getEvent",
      method: "GET",
      path: "/events/:event_id",
      summary: "Get an event",
      description: "What was once called request_id is the event_id.",
      query: GetQuery,
      refuse: refuseRequest,
      status: 200,
      answer: EventRecord,
      run: async (call) => {
        const sight = sightOf(store, call);
        const { body } = eventOf(store, call, sight);
        const { ruleset_id } = call.query;
        if (ruleset_id === undefined)
          return new JsonText(visibleText(body, sight));
        const ruleset = rulesetOf(store, call.workspace, ruleset_id);
        if (ruleset === undefined)
          throw new AnswerError("ruleset_not_found", "ruleset not found");
        // Loaded when first needed: the rule language would slow the start.
        const { judgeEvent } = await import("./judge-event.js");
        // Rules see signals that are not activated no more than answers do.
        const event = visibleEvent(body, sight);
        return { ...event, rule_action: judgeEvent(ruleset, event) };
      },
    }),
    operation({
      name: "updateEvent",
      method: "PATCH",
      path: "/events/:event_id",
      summary: "Change an event: only what is given",
      body: EventUpdate,
      refuse: refuseBody,
      status: 200,
      answer: z.undefined(),
      errors: [409],
      run: (call) => updateEvent(context, call, call.body),
    }),
  ];
}

/** One month (docs/assumptions.md, A52). */
const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Changes what is given of the event that the path names (docs/contract.md,
 * "PATCH /events/{event_id}"). Throws AnswerError: no such event, too new
 * (docs/assumptions.md, A51), or too old.
 */
export function updateEvent(
  { store, clock, mutableAfterMs }: Context,
  call: Call<unknown, unknown>,
  change: z.output<typeof EventUpdate>,
): void {
  const row = eventOf(store, call, sightOf(store, call));
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
