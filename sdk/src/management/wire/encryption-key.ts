import { z } from "zod";
import { openEnum } from "../../open-enum";
import { secret } from "../../secret-mark";
import { Status, STATUSES } from "./status";

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
  previous_token: secret(z.string()).nullish(),
  token: secret(z.string()).nullish(),
  next_token: secret(z.string()).nullish(),
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
