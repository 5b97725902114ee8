/** Values of `error.code` of the events API (docs/contract.md, "Events errors"). */
export const EVENT_ERROR_CODES = [
  "request_cannot_be_parsed",
  "request_read_timeout",
  "ruleset_not_found",
  "secret_api_key_required",
  "secret_api_key_not_found",
  "public_api_key_required",
  "public_api_key_not_found",
  "wrong_region",
  "subscription_not_active",
  "feature_not_enabled",
  "missing_module",
  "event_not_found",
  "visitor_not_found",
  "state_not_ready",
  "payload_too_large",
  "too_many_requests",
  "failed",
  "service_unavailable",
] as const;

/** One of the documented error codes. */
export type EventErrorCode = (typeof EVENT_ERROR_CODES)[number];

/** The `error.message` of a bad pagination key. The code is the same for every request that cannot be parsed. */
export const INVALID_PAGINATION_KEY = "invalid pagination key";
