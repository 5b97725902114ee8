import { z } from "zod";
import { openEnum } from "../../open-enum";

/** What happens when an environment reaches its limit. */
export const LIMIT_MODES = ["none", "restrict", "notify"] as const;

/** `limit_mode` as it is sent. */
export const LimitMode = z.enum(LIMIT_MODES);

/** `name` of an environment: 3 to 255 characters. */
export const EnvironmentName = z.string().min(3).max(255);

/** `description` of an environment: at most 256 characters. */
export const EnvironmentDescription = z.string().max(256);

/** `limit_value` of an environment: at least 1. */
export const LimitValue = z.number().min(1);

/** An environment as the service answers it (docs/contract.md, "Environment record"). */
export const EnvironmentRecord = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  limit_mode: openEnum(LIMIT_MODES).nullish(),
  limit_value: z.number().nullish(),
  is_restricted: z.boolean().nullish(),
  restricted_at: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});

/** Body of `POST /environments`; `limit_value` is required unless `limit_mode` is `none`. */
export const EnvironmentCreate = z.strictObject({
  name: EnvironmentName,
  description: EnvironmentDescription.optional(),
  limit_mode: LimitMode.optional(),
  limit_value: LimitValue.optional(),
});

/** Body of `POST /environments/{id}`; null clears the field (docs/assumptions.md). */
export const EnvironmentUpdate = z.strictObject({
  name: EnvironmentName.optional(),
  description: EnvironmentDescription.nullable().optional(),
  limit_mode: LimitMode.optional(),
  limit_value: LimitValue.nullable().optional(),
});
