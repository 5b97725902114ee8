import * as z from "zod";

/** The two states of an API key, a webhook, an encryption key and a rule. */
export const STATUSES = ["enabled", "disabled"] as const;

/** `status` as it is sent. */
export const Status = z.enum(STATUSES);
