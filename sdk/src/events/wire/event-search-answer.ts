import { z } from "zod";
import { EventRecord } from "./event-record";
import { Count } from "./scalars";

/** Answer of `GET /events`: one page; without a `pagination_key` it is the last. */
export const EventSearchAnswer = z.looseObject({
  events: z.array(EventRecord),
  pagination_key: z.string().nullish(),
  total_hits: Count.describe(
    "Matches, counted up to the number that was asked for.",
  ).nullish(),
});
