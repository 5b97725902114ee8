import { z } from "zod";

/** Query of the control calls that list what happened: `since` is the last number that is known. */
export const Since = z.strictObject({
  since: z.preprocess(
    (value) =>
      typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value,
    z.int().min(0).optional(),
  ),
});
