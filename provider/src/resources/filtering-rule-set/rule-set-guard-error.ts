import { DevidError } from "@devid/sdk";

/** The inputs of a `FilteringRuleSet` that let an overwrite pass a guard. */
export type RuleSetGuard = "takeOver" | "onDrift" | "maxDeletedPercent";

/** A guard stopped an overwrite before it was sent: the rules in force are as they were. */
export class RuleSetGuardError extends DevidError {
  override readonly name = "RuleSetGuardError";

  constructor(
    /** The input that lets it pass. */
    readonly guard: RuleSetGuard,
    message: string,
  ) {
    super(message);
  }
}
