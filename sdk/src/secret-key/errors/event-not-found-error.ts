import { ServiceError } from "../../http/errors/service-error";

/** 404: the workspace has no such event, or the key may not see it. */
export class EventNotFoundError extends ServiceError {
  override readonly name = "EventNotFoundError";
}
