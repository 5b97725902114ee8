import type { Event } from "@devid/sdk";
import { originOf } from "@devid/sdk/wire";
import { EventRecord, Identification } from "@devid/sdk/wire/events";
import { z } from "zod";
import { LATEST_MS } from "../clock";
import type { Context } from "../context";
import { AnswerError } from "../http/answer-error";
import { JsonText, operation, type Operation } from "../http/operation";
import { newEventId, newVisitorId } from "../identity";
import { EVENT_ID } from "../server-api/visible-events";
import { DuplicateEventError } from "../store/events";

const BODY_LIMIT = 64 * 1024 * 1024;
const MOST_EVENTS = 10_000;

/** `POST /_local/{region}/events`: stores events without a visit. */
export function addEventsOperation({ clock, store }: Context): Operation {
  return operation({
    name: "addEvents",
    method: "POST",
    path: "/:region/events",
    summary: "Store events, all or none",
    description:
      "Takes events of version 4, or parts of them. These members are filled in: event_id, timestamp (now), environment_id (the default one), source (device), a new visitor, and the origin of url.",
    body: z.array(NewEvent).max(MOST_EVENTS),
    bodyLimit: BODY_LIMIT,
    status: 201,
    answer: z.array(EventRecord),
    errors: [409],
    run: ({ workspace, body }) => {
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

/** A part of an event; `completeEvent` fills in the rest. */
export const NewEvent = z
  .looseObject(EventRecord.shape)
  .partial()
  .extend({
    event_id: z
      .string()
      .regex(EVENT_ID, "must be 1 to 64 letters, digits, dots, _ and -")
      .optional(),
    timestamp: z.int().min(0).max(LATEST_MS).optional(),
    identification: z
      .looseObject(Identification.shape)
      .partial({ visitor_found: true })
      .nullish(),
  });

/** A part of an event. */
export type NewEvent = z.output<typeof NewEvent>;

/**
 * Fills in what every event has: an ID, a time (now), a source (a device) and
 * an environment (the default one). The event of a device also gets a new visitor,
 * unless it names a visitor. An event with a web address gets an origin. Signals are
 * never invented, and a null stays null. The verdict of a ruleset is left out, because
 * stored events have none.
 */
export function completeEvent(
  { identification, rule_action: _, ...given }: NewEvent,
  nowMs: number,
  environment_id: string | undefined,
): Event {
  const { timestamp = nowMs, source = "device" } = given;
  const { event_id = newEventId(timestamp) } = given;
  const origin = originOf(given);
  const hasVisitor = identification !== undefined || source === "device";
  return {
    event_id,
    timestamp,
    source,
    ...(environment_id !== undefined && { environment_id }),
    ...(origin !== undefined && { origin }),
    ...(identification === null
      ? { identification }
      : hasVisitor && {
          identification: {
            visitor_id: newVisitorId(),
            visitor_found: false,
            ...identification,
          },
        }),
    ...given,
  };
}
