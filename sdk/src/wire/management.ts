import * as z from "zod";
import { openEnum } from "./open-enum";
import { Status, STATUSES } from "./status";

export * from "./filtering-rule-calls";
export * from "./filtering-rules";
export * from "./status";

/** Page size of a list: 0 to 101, 10 when left out. */
export const PageLimit = z.int().min(0).max(101);

/** `metadata.pagination` with either spelling of the cursors. */
export const Pagination = z.object({
  next_cursor: z.string().nullish(),
  prev_cursor: z.string().nullish(),
});

/** What the answer to a delete may be if it has no record. */
export const EmptyEnvelope = z.strictObject({
  data: z.union([z.null(), z.strictObject({})]),
});

/** What every record has. */
export const RecordOfId = z.object({ id: z.string() });

/** An answer with one object. */
export const Envelope = z.object({ data: z.unknown() });

/** An answer with one page of a list. */
export const ListEnvelope = z.object({
  data: z.array(z.unknown()),
  metadata: z
    .object({ pagination: z.record(z.string(), z.unknown()).nullish() })
    .nullish(),
});

/** The page options of a list's query. */
export const ListQuery = z.object({
  limit: PageLimit.optional(),
  cursor: z.string().optional(),
});

/** Kinds of API key that the management API can make. */
export const API_KEY_TYPES = ["public", "secret", "proxy"] as const;

/** `type` of an API key as it is sent. */
export const ApiKeyType = z.enum(API_KEY_TYPES);

/** `name` of an API key: 3 to 255 characters. */
export const ApiKeyName = z.string().min(3).max(255);

/** `description` of an API key: 3 to 255 characters. */
export const ApiKeyDescription = z.string().min(3).max(255);

/** `rate_limit` of an API key: requests per second, at least 0.1. */
export const RateLimit = z.number().min(0.1);

/**
 * An API key as the service answers it (docs/contract.md, "API key record"). `token` is
 * absent if the service does not show the token again. `environment` is null for a key
 * of the whole workspace.
 */
export const ApiKeyRecord = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  type: openEnum(API_KEY_TYPES),
  status: openEnum(STATUSES),
  environment: z.string().nullish(),
  rate_limit: z.number().nullish(),
  token: z.string().nullish(),
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

/**
 * `url` of a webhook. The service takes https only, but a local service also takes http
 * to loopback. So this schema takes both, and the service and its callers check the
 * rest. The user-info and the query are secret, because a receiver may use them as
 * credentials.
 */
export const WebhookUrl = z
  .string()
  // The parser of URLs drops tabs and line breaks, and blanks at the ends.
  .regex(/^[^\s\p{Cc}]*$/u, "must have no blank and no line break")
  .check(z.url({ protocol: /^https?$/ }));

/**
 * A webhook as the service answers it (docs/contract.md, "Webhook record").
 * `signing_key` is present only in the answer to a create.
 */
export const WebhookRecord = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string().nullish(),
  status: openEnum(STATUSES),
  verified: z.boolean().nullish(),
  environment: z.string().nullish(),
  legacy: z.boolean().nullish(),
  basic_auth: z.unknown().optional(),
  created_at: z.string().nullish(),
  signing_key: z.string().nullish(),
  last_enabled_at: z.string().nullish(),
  last_disabled_at: z.string().nullish(),
});

/**
 * Body of `POST /webhooks`. If `environment` is null or absent, the webhook receives
 * events of all environments.
 */
export const WebhookCreate = z.strictObject({
  url: WebhookUrl,
  description: z.string().optional(),
  status: Status.optional(),
  environment: z.string().min(1).nullable().optional(),
});

/** Body of `PATCH /webhooks/{id}`; null clears the field (docs/assumptions.md). */
export const WebhookUpdate = z.strictObject({
  url: WebhookUrl.optional(),
  description: z.string().nullable().optional(),
  status: Status.optional(),
  environment: z.string().min(1).nullable().optional(),
});

/** Filters of `GET /webhooks`. */
export const WebhookFilter = z.strictObject({
  status: Status.optional(),
  environment: z.string().min(1).optional(),
});

/**
 * An encryption key as the service answers it (docs/contract.md, "Encryption
 * key record"). Tokens are base64 of 32 bytes and can be read at any time.
 */
export const EncryptionKeyRecord = z.object({
  id: z.string(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  status: openEnum(STATUSES),
  environment: z.string().nullish(),
  created_at: z.string().nullish(),
  last_activated_at: z.string().nullish(),
  last_deactivated_at: z.string().nullish(),
  last_rotated_at: z.string().nullish(),
  previous_token: z.string().nullish(),
  token: z.string().nullish(),
  next_token: z.string().nullish(),
});

/** Body of `PATCH /encryption-keys/{id}`. */
export const EncryptionKeyUpdate = z.strictObject({
  name: z.string().min(1).optional(),
  description: z.string().nullable().optional(),
  status: Status.optional(),
});

/** Filters of `GET /encryption-keys`. */
export const EncryptionKeyFilter = z.strictObject({
  status: Status.optional(),
  environment: z.string().min(1).optional(),
});

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

/**
 * Body of `POST /environments/{id}`; null clears the field (docs/assumptions.md). Only a
 * new environment needs a name of 3 characters.
 */
export const EnvironmentUpdate = z.strictObject({
  name: z.string().max(255).optional(),
  description: EnvironmentDescription.nullable().optional(),
  limit_mode: LimitMode.optional(),
  limit_value: LimitValue.nullable().optional(),
});

/** Filters of `GET /environments`: none. */
export const EnvironmentFilter = z.strictObject({});
