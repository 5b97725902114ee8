import { z } from "zod";
import { Ratio, Timestamp } from "./scalars";

/** Who was identified; also the form of `supplementary_id_high_recall` (docs/contract.md, "Event record"). */
export const Identification = z.looseObject({
  visitor_id: z.string(),
  visitor_found: z.boolean(),
  confidence: z
    .looseObject({
      score: Ratio,
      version: z.string().optional(),
      comment: z.string().optional(),
    })
    .optional(),
  first_seen_at: Timestamp.optional(),
  last_seen_at: Timestamp.optional(),
});
