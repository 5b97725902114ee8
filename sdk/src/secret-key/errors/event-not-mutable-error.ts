import { ServiceError } from "../../http/errors/service-error";

/** 409: the event is too new to be changed, and stayed so until the deadline. */
export class EventNotMutableError extends ServiceError {
  override readonly name = "EventNotMutableError";
}
