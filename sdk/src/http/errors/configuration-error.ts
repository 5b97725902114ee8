import { DevidError } from "./devid-error";

/** The configuration lacks a value, or holds one that cannot be used. */
export class ConfigurationError extends DevidError {
  override readonly name = "ConfigurationError";
}
