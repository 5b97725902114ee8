import { ServiceError } from "../../http/errors/service-error";

/** 403: the workspace has no active subscription. */
export class SubscriptionNotActiveError extends ServiceError {
  override readonly name = "SubscriptionNotActiveError";
}
