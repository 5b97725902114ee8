import { maskUrls } from "../mask-urls";
import { DevidError } from "./devid-error";

/** The service answered with success, and with a body that does not fit the contract. */
export class UnexpectedAnswerError extends DevidError {
  override readonly name = "UnexpectedAnswerError";

  readonly operation: string;
  readonly problem: string;

  constructor(operation: string, problem: string, options?: ErrorOptions) {
    super(
      `${operation} was answered with success, in a form that the contract does not know: ${problem}. If it was to change something, it is probably done. ` +
        `Check that the configured address is that of the service, and whether a newer devid exists.`,
      options,
    );
    this.operation = maskUrls(operation);
    this.problem = maskUrls(problem);
  }
}
