import { ServiceError } from "../http/errors";

/** The secret API key is missing, unknown, disabled or of another kind: 403 of the events API, 401 of the DRN API. */
export class SecretKeyError extends ServiceError {
  override readonly name = "SecretKeyError";
}

/** 403: the secret API key belongs to a workspace of another region. */
export class WrongRegionError extends ServiceError {
  override readonly name = "WrongRegionError";
}

/** 403: the workspace has no active subscription. */
export class SubscriptionNotActiveError extends ServiceError {
  override readonly name = "SubscriptionNotActiveError";
}

/** 403: the workspace's plan does not include the feature. */
export class FeatureNotEnabledError extends ServiceError {
  override readonly name = "FeatureNotEnabledError";
}

/** 404: the workspace does not have the event, or the key may not read the event. */
export class EventNotFoundError extends ServiceError {
  override readonly name = "EventNotFoundError";
}

/** 409: the event was too new to be changed until the retry budget ended. */
export class EventNotMutableError extends ServiceError {
  override readonly name = "EventNotMutableError";
}

/** 404: the visitor is not known. */
export class VisitorNotFoundError extends ServiceError {
  override readonly name = "VisitorNotFoundError";
}

/** 400: the workspace has no such ruleset. */
export class RulesetNotFoundError extends ServiceError {
  override readonly name = "RulesetNotFoundError";
}

/**
 * 400: the pagination key is not valid or no longer valid. Start again at the first
 * page.
 */
export class PaginationKeyError extends ServiceError {
  override readonly name = "PaginationKeyError";
}

/** 504: the search took longer than 30 s on the service. The answer holds no events. */
export class SearchTimeoutError extends ServiceError {
  override readonly name = "SearchTimeoutError";
}
