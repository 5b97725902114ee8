import { DevidError } from "@devid/sdk";

/** An environment was named that is not there, or several are called so. */
export class EnvironmentChoiceError extends DevidError {
  override readonly name = "EnvironmentChoiceError";
}
