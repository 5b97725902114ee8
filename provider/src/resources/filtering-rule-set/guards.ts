import type { Rule } from "@devid/sdk";
import { findSteps } from "@devid/sdk/rules";
import { describeDeletions } from "./describe-deletions";
import { RuleSetGuardError } from "./rule-set-guard-error";
import { showSteps } from "./show-steps";

/**
 * Stops a creation that would delete rules which the program does not have.
 * @param inForce `undefined` where the service does not tell
 * @throws RuleSetGuardError
 */
export function stopTakingOver(
  environment: string,
  inForce: readonly Rule[] | undefined,
  declared: readonly Rule[],
): void {
  if (!inForce)
    throw new RuleSetGuardError(
      "takeOver",
      `The filtering rules of environment ${environment} were not created: the service does not list its rules, so nobody can tell which ones that would delete. Set takeOver: true to replace whatever there is.`,
    );
  const foreign = findSteps(inForce, declared).filter(
    ({ kind }) => kind === "removed",
  );
  if (foreign.length === 0) return;
  throw new RuleSetGuardError(
    "takeOver",
    `The filtering rules of environment ${environment} were not created: it has ${count(foreign)} that the program does not have, and that would be deleted:\n` +
      `${showSteps(foreign)}\n` +
      `Put them into the program, or set takeOver: true to replace them.`,
  );
}

/** What an operation tells a reader to do about rules that someone else changed. */
const WAYS_OUT = {
  overwritten: `To keep this, run pulumi refresh and put it into the program: the next preview shows what is missing there. To drop it, set onDrift: "overwrite".`,
  destroyed: `To keep this, take the rule set out of the stack alone: pulumi state delete. To delete these rules, too, run pulumi refresh and destroy again.`,
};

/**
 * Stops an overwrite of rules that are neither those last seen nor already the
 * declared ones.
 * @throws RuleSetGuardError
 */
export function stopOnDrift(
  environment: string,
  inForce: readonly Rule[],
  lastSeen: readonly Rule[],
  declared: readonly Rule[],
  done: keyof typeof WAYS_OUT,
): void {
  const drift = findSteps(lastSeen, inForce);
  if (drift.length === 0 || findSteps(declared, inForce).length === 0) return;
  throw new RuleSetGuardError(
    "onDrift",
    `The filtering rules of environment ${environment} were not ${done}: they were changed by someone else since they were last seen:\n` +
      `${showSteps(drift)}\n${WAYS_OUT[done]}`,
  );
}

/** Stops an overwrite that deletes too large a part of the rules. @throws RuleSetGuardError */
export function stopDeleting(
  environment: string,
  inForce: readonly Rule[],
  declared: readonly Rule[],
  maxDeletedPercent: number,
): void {
  const refused = describeDeletions(inForce, declared, maxDeletedPercent);
  if (!refused) return;
  throw new RuleSetGuardError(
    "maxDeletedPercent",
    `The filtering rules of environment ${environment} were not overwritten: ${refused.reason}:\n` +
      `${showSteps(refused.deleted, { expressions: false })}\n${refused.wayOut}`,
  );
}

const count = ({ length }: readonly unknown[]) =>
  length === 1 ? "1 rule" : `${length} rules`;
