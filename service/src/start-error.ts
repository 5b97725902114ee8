import { ServiceError } from "./service-error";

/** The service could not start. The message is for people and says what to do. */
export class StartError extends ServiceError {
  readonly name = "StartError";
}
