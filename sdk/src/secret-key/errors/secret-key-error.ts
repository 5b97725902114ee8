import { ServiceError } from "../../http/errors/service-error";

/** The secret API key is missing, unknown, disabled or of another kind: 403 of the events API, 401 of the DRN API. */
export class SecretKeyError extends ServiceError {
  override readonly name = "SecretKeyError";
}
