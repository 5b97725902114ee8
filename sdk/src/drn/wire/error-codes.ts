/** Values of `error.code` of the DRN API (docs/contract.md, "DRN errors"); the last two are concluded (docs/assumptions.md, A68 and A69). */
export const DRN_ERROR_CODES = [
  "invalid_signals_parameter",
  "secret_key_not_found",
  "http.not_found",
  "invalid_api_version",
  "too_many_requests",
] as const;

/** One of the known error codes. */
export type DrnErrorCode = (typeof DRN_ERROR_CODES)[number];
