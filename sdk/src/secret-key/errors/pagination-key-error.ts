import { ServiceError } from "../../http/errors/service-error";

/** 400: the pagination key is not valid, or not any more: start over at the first page. */
export class PaginationKeyError extends ServiceError {
  override readonly name = "PaginationKeyError";
}
