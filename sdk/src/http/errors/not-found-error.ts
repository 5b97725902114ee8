import { ServiceError } from "./service-error";

/** 404: the object is not in this workspace. */
export class NotFoundError extends ServiceError {
  override readonly name = "NotFoundError";
}
