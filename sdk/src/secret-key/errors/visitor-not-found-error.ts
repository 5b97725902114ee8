import { ServiceError } from "../../http/errors/service-error";

/** 404: the visitor is not known. */
export class VisitorNotFoundError extends ServiceError {
  override readonly name = "VisitorNotFoundError";
}
