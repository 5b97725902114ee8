import { z } from "zod";
import { Ratio, Timestamp } from "./scalars";

/** Who was identified; also the form of `supplementary_id_high_recall` (docs/contract.md, "Event record"). */
export const Identification = z.looseObject({
  visitor_id: z.string().nullable(),
  visitor_found: z.boolean().nullable(),
  confidence: z
    .looseObject({
      score: Ratio.nullable(),
      version: z.string().nullish(),
      comment: z.string().nullish(),
    })
    .nullish(),
  first_seen_at: Timestamp.nullish(),
  last_seen_at: Timestamp.nullish(),
});
