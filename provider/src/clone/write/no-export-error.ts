import { DevidError } from "@devid/sdk";

/** A folder does not hold what an export wrote. */
export class NoExportError extends DevidError {
  override readonly name = "NoExportError";
}
