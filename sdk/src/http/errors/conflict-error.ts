import { ServiceError } from "./service-error";

/** 409: the object is not in a state that allows this. */
export class ConflictError extends ServiceError {
  override readonly name = "ConflictError";
}
