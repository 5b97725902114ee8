import { LegacyEvent, LegacyUpdate } from "@devid/sdk/wire/events";
import { z } from "zod";
import type { Context } from "../../context";
import { operation, type Operation } from "../../http/operation";
import { updateEvent } from "../event-operations";
import { querySchema } from "../query-schema";
import { eventOf, visibilityOf, visibleEvent } from "../visible-events";
import { legacyEvent } from "./legacy-event";
import { KEY_PARAMETERS } from "./legacy-query";
import { legacySearchOperation } from "./search-operation";

const NoParameters = querySchema({}, KEY_PARAMETERS);

/**
 * The operations on a single event in version 3 (docs/contract.md, "Legacy
 * operations").
 */
export function legacyEventOperations(context: Context): Operation[] {
  const { store } = context;
  return [
    legacySearchOperation(context),
    operation({
      name: "getLegacyEvent",
      method: "GET",
      path: "/:request_id",
      summary: "Get an event in the form of version 3",
      query: NoParameters,
      answer: LegacyEvent,
      run: (call) => {
        const visibility = visibilityOf(store, call);
        const { body } = eventOf(store, call, visibility);
        return legacyEvent(visibleEvent(body, visibility), visibility.hidden);
      },
    }),
    operation({
      name: "updateLegacyEvent",
      method: "PUT",
      path: "/:request_id",
      summary: "Change the given members of an event",
      query: NoParameters,
      body: LegacyUpdate,
      answer: z.undefined(),
      errors: [409],
      run: (call) => {
        const { linkedId: linked_id, tag: tags, suspect } = call.body;
        updateEvent(context, call, { linked_id, tags, suspect });
      },
    }),
  ];
}
