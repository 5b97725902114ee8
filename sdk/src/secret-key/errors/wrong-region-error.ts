import { ServiceError } from "../../http/errors/service-error";

/** 403: the secret API key belongs to a workspace of another region. */
export class WrongRegionError extends ServiceError {
  override readonly name = "WrongRegionError";
}
