import { EventRecord } from "@devid/sdk/wire";
import { z } from "zod";
import type { Context } from "../context";
import { NewEvent } from "../events/new-event";
import { AnswerError } from "../http/answer-error";
import { JsonText } from "../http/json-text";
import { operation, type Operation } from "../http/operation";
import { DuplicateEventError } from "../store/duplicate-event-error";

const BODY_LIMIT = 64 * 1024 * 1024;
const MOST_EVENTS = 10_000;

/** `POST /_local/{region}/events`: stores events that nobody's visit has caused. */
export function eventOperation({ clock, store }: Context): Operation {
  return operation({
    name: "addEvents",
    method: "POST",
    path: "/:region/events",
    summary: "Store events, all or none",
    description:
      "Events of version 4, whole or in part. Filled in where left out: event_id, timestamp (now), environment_id (the default one), source (device), a visitor, and the origin of url.",
    body: z.array(NewEvent).max(MOST_EVENTS),
    bodyLimit: BODY_LIMIT,
    status: 201,
    answer: z.array(EventRecord),
    errors: [409],
    run: async ({ workspace, body }) => {
      // Loaded when first needed: it would slow the start.
      const { completeEvent } = await import("../events/complete-event.js");
      const environment = store.environments.default(workspace)?.id;
      const now = clock.nowMs();
      const events = body.map((event) =>
        completeEvent(event, now, environment),
      );
      try {
        const texts = store.events.insert(workspace, events);
        return new JsonText(`[${texts.join()}]`);
      } catch (error) {
        if (!(error instanceof DuplicateEventError)) throw error;
        throw new AnswerError("conflict", `[${error.index}]: ${error.message}`);
      }
    },
  });
}
