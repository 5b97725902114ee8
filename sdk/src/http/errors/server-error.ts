import { ServiceError } from "./service-error";

/** 5xx: the service failed, and went on failing for as long as retries were allowed. */
export class ServerError extends ServiceError {
  override readonly name = "ServerError";
}
