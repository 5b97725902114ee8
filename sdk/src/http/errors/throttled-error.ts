import { ServiceError } from "./service-error";

/** 429: the rate limit is used up, and waiting longer was outside the retry budget. */
export class ThrottledError extends ServiceError {
  override readonly name = "ThrottledError";
}
