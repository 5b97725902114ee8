import { ServiceError } from "./service-error";

/** 403: the key is known and may not do this; the events API answers so for a missing key, too. */
export class ForbiddenError extends ServiceError {
  override readonly name = "ForbiddenError";
}
