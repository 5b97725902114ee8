import { DevidError } from "../../http/errors";

/** A text is no condition under which a review fails; the message lists those that there are. */
export class FailConditionError extends DevidError {
  override readonly name = "FailConditionError";
}
