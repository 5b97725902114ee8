import { ServiceError } from "../../http/errors/service-error";

/** 400: the workspace has no such ruleset. */
export class RulesetNotFoundError extends ServiceError {
  override readonly name = "RulesetNotFoundError";
}
