import type { Region } from "@devid/sdk";
import type { RateLimiter } from "../http/rate-limiter";
import { AnswerError } from "../http/answer-error";
import type { ApiKeyRow } from "../store/api-keys";

/**
 * Lets the owner of a public key in: it has to be enabled, of this region, and
 * within its own rate (docs/assumptions.md, A160). Throws AnswerError.
 */
export function admit(
  rateLimiter: RateLimiter,
  region: Region,
  key: ApiKeyRow | undefined,
): ApiKeyRow {
  if (key?.type !== "public" || key.status !== "enabled")
    throw new AnswerError(
      "public_api_key_not_found",
      "This is not an enabled public API key.",
    );
  if (key.workspace !== region)
    throw new AnswerError(
      "wrong_region",
      `wrong region: the key is of the workspace in region ${key.workspace}`,
    );
  if (!rateLimiter.take(`agent ${key.id}`, key.rate_limit))
    throw new AnswerError("too_many_requests", "too many requests");
  return key;
}
