import { DevidError } from "@devid/sdk/errors";

/** A change was to be applied to rules that it was not found in. */
export class RuleChangeError extends DevidError {
  override readonly name = "RuleChangeError";
}
