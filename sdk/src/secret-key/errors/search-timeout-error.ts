import { ServiceError } from "../../http/errors/service-error";

/** 504: the search ran out of time, 30 s on the service; nothing of it was answered. */
export class SearchTimeoutError extends ServiceError {
  override readonly name = "SearchTimeoutError";
}
