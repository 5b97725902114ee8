import { z } from "zod";
import { LegacyVisit } from "./legacy-event";

/** Answer of `GET /visitors/{visitor_id}`: visits, the newest first; without a `paginationKey` it is the last page. */
export const LegacyVisitorAnswer = z.looseObject({
  visitorId: z.string(),
  visits: z.array(LegacyVisit),
  paginationKey: z.string().nullish(),
  lastTimestamp: z.number().nullish(),
});
