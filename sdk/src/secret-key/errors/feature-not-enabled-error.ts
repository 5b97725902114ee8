import { ServiceError } from "../../http/errors/service-error";

/** 403: what was asked for is not part of the workspace's plan. */
export class FeatureNotEnabledError extends ServiceError {
  override readonly name = "FeatureNotEnabledError";
}
