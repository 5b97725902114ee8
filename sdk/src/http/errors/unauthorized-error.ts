import { ServiceError } from "./service-error";

/** 401: the key is missing, unknown or of another kind (docs/contract.md, "Authentication"). */
export class UnauthorizedError extends ServiceError {
  override readonly name = "UnauthorizedError";
}
