import { EventRecord, EventUpdate } from "@devid/sdk/wire";
import { z } from "zod";
import type { Context } from "../context";
import { AnswerError } from "../http/answer-error";
import { JsonText } from "../http/json-text";
import { operation, type Operation } from "../http/operation";
import { querySchema } from "./query-schema";
import { refuseBody } from "./refuse-body";
import { refuseRequest } from "./refuse-request";
import { updateEvent } from "./update-event";
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
        const ruleset = store.rulesets.get(call.workspace, ruleset_id);
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
