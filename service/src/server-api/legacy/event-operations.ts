import type { Context } from "../../context";
import type { Operation } from "../../http/operation";
import { updateEvent } from "../event-operations";
import { serveServerOperation } from "../serve-server-operation";
import { eventOf, visibilityOf, visibleEvent } from "../visible-events";
import { legacyEvent } from "./legacy-event";
import { KEY_PARAMETERS } from "./legacy-query";
import { legacySearchOperation } from "./search-operation";

const OWN = { below: "/events", ignored: KEY_PARAMETERS };

/**
 * The operations on a single event in version 3 (docs/contract.md, "Legacy
 * operations").
 */
export function legacyEventOperations(context: Context): Operation[] {
  const { store } = context;
  return [
    legacySearchOperation(context),
    serveServerOperation(
      "getLegacyEvent",
      (call) => {
        const visibility = visibilityOf(store, call);
        const { body } = eventOf(store, call, visibility);
        return legacyEvent(visibleEvent(body, visibility), visibility.hidden);
      },
      OWN,
    ),
    serveServerOperation(
      "updateLegacyEvent",
      (call) => {
        const { linkedId: linked_id, tag: tags, suspect } = call.body;
        updateEvent(context, call, { linked_id, tags, suspect });
      },
      { ...OWN, errors: [409] },
    ),
  ];
}
