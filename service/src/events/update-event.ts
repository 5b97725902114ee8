import type { Event } from "@devid/sdk";
import type { EventUpdate } from "@devid/sdk/wire";
import type { z } from "zod";
import type { Context } from "../context";
import { AnswerError } from "../http/answer-error";
import type { Call } from "../http/operation";
import { eventOf, sightOf } from "./visible-events";

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
