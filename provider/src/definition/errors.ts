import { DevidError } from "@devid/sdk";

/** The object that was to be updated is no longer in the workspace. */
export class GoneError extends DevidError {
  override readonly name = "GoneError";
}

/** A rotation was not taken back, for it is not the one that the state knows. */
export class RotationError extends DevidError {
  override readonly name = "RotationError";
}
