import { z } from "zod";
import { openEnum } from "../../open-enum";
import { secret } from "../../secret-mark";
import { Status, STATUSES } from "./status";

/** Kinds of API key that the management API can make. */
export const API_KEY_TYPES = ["public", "secret", "proxy"] as const;

/** `type` of an API key as it is sent. */
export const ApiKeyType = z.enum(API_KEY_TYPES);

/** `name` of an API key: 3 to 255 characters. */
export const ApiKeyName = z.string().min(3).max(255);

/** `description` of an API key: 3 to 255 characters; it cannot be empty. */
export const ApiKeyDescription = z.string().min(3).max(255);

/** `rate_limit` of an API key: requests per second, at least 0.1. */
export const RateLimit = z.number().min(0.1);

/**
 * An API key as the service answers it (docs/contract.md, "API key record").
 * `token` is absent where the service does not show it again, `environment` is
 * null for a key of the whole workspace.
 */
export const ApiKeyRecord = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  type: openEnum(API_KEY_TYPES),
  status: openEnum(STATUSES),
  environment: z.string().nullish(),
  rate_limit: z.number().nullish(),
  token: secret(z.string()).nullish(),
  created_at: z.string().nullish(),
  disabled_at: z.string().nullish(),
});

/** Body of `POST /api-keys`: neither `status` nor `rate_limit` can be given. */
export const ApiKeyCreate = z.strictObject({
  type: ApiKeyType,
  name: ApiKeyName,
  description: ApiKeyDescription.optional(),
  environment: z.string().min(1).optional(),
});

/** Body of `PATCH /api-keys/{id}`; null clears the description (docs/assumptions.md). */
export const ApiKeyUpdate = z.strictObject({
  name: ApiKeyName.optional(),
  description: ApiKeyDescription.nullable().optional(),
  status: Status.optional(),
  rate_limit: RateLimit.optional(),
});

/** Filters of `GET /api-keys`. */
export const ApiKeyFilter = z.strictObject({
  type: ApiKeyType.optional(),
  status: Status.optional(),
  environment: z.string().min(1).optional(),
});
