import { z } from "zod";
import { LinkedId, Tags } from "../../events/wire";

/** Body of `PUT /events/{request_id}`: only what is given changes (docs/contract.md, "Legacy operations"). */
export const LegacyUpdate = z.object({
  linkedId: LinkedId.optional(),
  tag: Tags.optional(),
  suspect: z.boolean().optional(),
});
