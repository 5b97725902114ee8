import { ServiceError } from "../../http/errors/service-error";

/** 410: the service does not answer version 3 any more. */
export class VersionEndedError extends ServiceError {
  override readonly name = "VersionEndedError";
}
