import { DevidError } from "@devid/sdk";

/** The inputs of a `FilteringRuleSet` by which an overwrite passes a guard. */
export type RuleSetGuard =
  "takeOver" | "onDrift" | "maxDeletedPercent" | "expectedInForce";

/** A guard stopped an overwrite before it was sent: the rules in force are as they were. */
export class RuleSetGuardError extends DevidError {
  override readonly name = "RuleSetGuardError";

  constructor(
    /** The input by which it passes. */
    readonly guard: RuleSetGuard,
    message: string,
  ) {
    super(message);
  }
}
