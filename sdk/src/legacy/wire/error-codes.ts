/** Values of `error.code` of version 3 (docs/contract.md, "Legacy operations"). */
export const LEGACY_ERROR_CODES = [
  "RequestCannotBeParsed",
  "TokenRequired",
  "TokenNotFound",
  "SubscriptionNotActive",
  "WrongRegion",
  "FeatureNotEnabled",
  "WorkspaceScopedSecretKeyRequired",
  "RequestNotFound",
  "VisitorNotFound",
  "TooManyRequests",
  "429 Too Many Requests",
  "StateNotReady",
  "Failed",
] as const;

/** One of the documented error codes. */
export type LegacyErrorCode = (typeof LEGACY_ERROR_CODES)[number];
