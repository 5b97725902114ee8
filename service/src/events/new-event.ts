import { EventRecord, Identification } from "@devid/sdk/wire";
import { z } from "zod";
import { EVENT_ID } from "./event-id";

/** Times beyond the year 9999 have no plain ISO spelling. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A part of an event, out of which `completeEvent` makes a whole one. */
export const NewEvent = EventRecord.partial().extend({
  event_id: z
    .string()
    .regex(EVENT_ID, "must be 1 to 64 letters, digits, dots, _ and -")
    .optional(),
  timestamp: z.int().min(0).max(LATEST_MS).optional(),
  identification: Identification.partial({ visitor_found: true }).nullish(),
});

/** A part of an event. */
export type NewEvent = z.output<typeof NewEvent>;
