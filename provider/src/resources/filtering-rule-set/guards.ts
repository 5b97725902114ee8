import { DevidError, type FilteringRule } from "@devid/sdk";
import { findSteps, rulesDigest, type Rule } from "@devid/rules";
import { fromService } from "./rule-set-state";
import { rulesOfOthers, type KnownRules } from "./rules-in-force";
import { showSteps } from "./describe-rule-changes";

/** A guard stopped an overwrite before it was sent; the rules in force are unchanged. */
export class RuleSetGuardError extends DevidError {
  override readonly name = "RuleSetGuardError";
}

/**
 * Why a create must not replace the rules in force; `undefined` when no rules are in
 * force. Rules that equal the declared ones may still belong to somebody else. Only in
 * an environment that this program itself made, such rules count as its own: an update
 * was interrupted after it had written them.
 * @param found the rules in force; `undefined` where the service does not list them
 */
export function objectionToTakingOver(
  environment: string,
  found: readonly FilteringRule[] | undefined,
  declared: readonly Rule[],
  {
    isOwnEnvironment,
    mayReplace = false,
  }: {
    /** Whether a resource of the program has the environment. */
    readonly isOwnEnvironment: boolean;
    /** Whether the create may be one half of a replacement. */
    readonly mayReplace?: boolean;
  },
): string | undefined {
  if (!found)
    return `The filtering rules of environment ${environment} are not created, because the service does not list its rules and devid cannot tell which rules would be deleted. Set takeOver: true to replace any rules that are in force.`;
  if (found.length === 0) return undefined;
  const inForce = fromService(found);
  const steps = findSteps(inForce, declared);
  if (isOwnEnvironment && steps.length === 0) return undefined;
  const foreign = steps.filter(({ kind }) => kind === "removed");
  const what =
    foreign.length === 0
      ? `the environment already has ${count(inForce)} that this resource did not create.`
      : `the environment already has ${count(inForce)} that this resource did not create. The program does not have ${foreign.length} of them:\n${showSteps(foreign)}`;
  return (
    `The filtering rules of environment ${environment} are not created, and the rules in force stay: ${what}\n` +
    `- Was the resource renamed, or moved in the program? Give it an alias, in its options: aliases: [{ name: "the old name" }]; after a move into a component, in TypeScript, aliases: [{ parent: pulumi.rootStackResource }].\n` +
    (mayReplace
      ? `- Is the resource being replaced, by --replace, replaceOnChanges or pulumi state taint? Leave that out, or run pulumi state untaint: an update can change all rules.\n`
      : "") +
    `- Does another stack or resource declare them? Then declare them in one place only.\n` +
    `- Otherwise, and after an update of this program that was interrupted once it had written them, set takeOver: true, which replaces them.`
  );
}

/** What to do about rules that somebody else changed, by the operation that was stopped. */
const WAYS_OUT = {
  overwritten: `To keep these changes, run pulumi refresh --run-program and put them into the program: the next preview shows what is missing there. To drop them, set onDrift: "overwrite".`,
  destroyed: `To keep these changes, remove the rule set from the stack alone: pulumi state delete. To delete these rules, too, set onDrift: "overwrite" and run pulumi up before you destroy.`,
};

/**
 * Stops an overwrite if somebody has changed the rules since they were last seen, or
 * has written them again under other IDs. It passes if the rules in force are already
 * the declared ones, as after an interrupted update. It also passes if the check of
 * `expectedInForce` has passed, because the reviewer has then seen the rules in force.
 * @throws RuleSetGuardError
 */
export function stopOnDrift(
  environment: string,
  inForce: readonly Rule[],
  known: KnownRules,
  declared: readonly Rule[],
  rewritten: readonly string[] = [],
): void {
  const drift = findSteps(known.rules, inForce);
  if (findSteps(declared, inForce).length === 0) return;
  if (drift.length > 0)
    throw drifted(environment, showSteps(drift, known), "overwritten");
  if (rewritten.length > 0)
    throw drifted(
      environment,
      `somebody wrote these rules again, so they have new IDs: ${rewritten.join(", ")}. Perhaps another stack declares them, too.`,
      "overwritten",
    );
}

/** Stops a delete of rules that somebody has edited since they were last seen. @throws RuleSetGuardError */
export function stopDestroyingEdits(
  environment: string,
  own: readonly Rule[],
  known: KnownRules,
): void {
  const names = new Set(own.map(({ name }) => name));
  const edits = findSteps(
    known.rules.filter(({ name }) => names.has(name)),
    own,
  ).filter(({ kind }) => kind !== "moved");
  if (edits.length > 0)
    throw drifted(environment, showSteps(edits, known), "destroyed");
}

function drifted(
  environment: string,
  how: string,
  done: keyof typeof WAYS_OUT,
): RuleSetGuardError {
  return new RuleSetGuardError(
    `The filtering rules of environment ${environment} were not ${done}, because somebody else has changed them since devid last read them:\n` +
      `${how}\n${WAYS_OUT[done]}`,
  );
}

/** What to do about a change that was reviewed against other rules, without losing a rule. */
const REVIEW_AGAIN =
  "No rule was sent. Review the change against the rules that are in force now, with the pipeline's recovery job or a new review, and apply the plan of that review. If a rule must stay, add it to the program first: the review shows what the change deletes.";

/**
 * Stops an overwrite if the rules in force have another digest than those that the
 * change was reviewed against. It passes if the declared rules are already in force.
 * @param found the rules in force; `undefined` where the service does not list them
 * @throws RuleSetGuardError
 */
export function stopUnreviewed(
  environment: string,
  expected: string | undefined,
  found: readonly FilteringRule[] | undefined,
  declared: readonly Rule[],
  known: KnownRules,
): void {
  if (expected === undefined) return;
  if (!found)
    throw new RuleSetGuardError(
      `The filtering rules of environment ${environment} were not written, because the service does not list its rules and devid cannot compare them with the rules that the change was reviewed against. For such a service, leave expectedInForce out.`,
    );
  const inForce = fromService(found);
  if (rulesDigest(inForce) === expected) return;
  if (findSteps(declared, inForce).length === 0) return;
  const names = inForce.map(({ name }) => name).join(", ");
  throw new RuleSetGuardError(
    `The filtering rules of environment ${environment} were not written, because other rules are in force than this change was reviewed against.\n` +
      `Reviewed against: ${short(expected)}\n` +
      `In force: ${short(rulesDigest(inForce))}, ${count(inForce)}${shortened(names)}\n` +
      `${changeSinceReview(expected, found, known)}\n${REVIEW_AGAIN}`,
  );
}

/** What has changed since the review, as far as it can be derived from the known rules. */
function changeSinceReview(
  expected: string,
  found: readonly FilteringRule[],
  known: KnownRules,
): string {
  const inForce = fromService(found);
  if (rulesDigest(known.rules) === expected)
    return `Somebody has changed them since:\n${showSteps(findSteps(known.rules, inForce), known)}`;
  const others = rulesOfOthers(found, known).map(({ rule }) => rule.name);
  const compare =
    "What has changed since the review cannot be shown here; devid rules diff compares a rule file with the rules in force.";
  if (others.length === 0) return compare;
  const theirs = inForce.filter(({ name }) => !others.includes(name));
  return `Not written by this resource:\n${showSteps(findSteps(theirs, inForce), known)}\n${compare}`;
}

/** Stops an overwrite that would delete too large a part of the rules. @throws RuleSetGuardError */
export function stopDeleting(
  environment: string,
  inForce: readonly Rule[],
  known: KnownRules,
  declared: readonly Rule[],
  maxDeletedPercent: number,
): void {
  const before = { ...known, rules: inForce };
  const reason = objectionToDeleting(before, declared, maxDeletedPercent);
  if (reason !== undefined)
    throw new RuleSetGuardError(
      `The filtering rules of environment ${environment} were not overwritten: ${reason}`,
    );
}

const count = ({ length }: readonly unknown[]) =>
  length === 1 ? "1 rule" : `${length} rules`;

/** The beginning of a digest, for people to compare. */
const short = (digest: string) =>
  `${digest.slice(0, "sha256:".length + 12)}...`;

/** Characters. */
const LONGEST_NAMES = 500;

/** The names that follow a count; empty if there are none or too many to read. */
const shortened = (names: string) =>
  names === "" || names.length > LONGEST_NAMES ? "" : `: ${names}`;

/** Smaller rule sets are not guarded: one deleted rule is already a large part of them. */
const FEWEST_RULES = 4;

/**
 * Why a change must not be made: it deletes more than `maxDeletedPercent` of at least
 * four rules. A renamed rule counts as deleted. An empty rule set is not refused here,
 * because `allowEmpty` says that it is meant. Undefined if the change may be made.
 */
export function objectionToDeleting(
  known: KnownRules,
  declared: readonly Rule[],
  maxDeletedPercent: number,
): string | undefined {
  const { rules } = known;
  if (rules.length < FEWEST_RULES || declared.length === 0) return undefined;
  const deleted = findSteps(rules, declared).filter(
    ({ kind }) => kind === "removed",
  );
  const percent = (deleted.length * 100) / rules.length;
  if (percent <= maxDeletedPercent) return undefined;
  const least = Math.ceil(percent);
  return (
    `that would delete ${deleted.length} of ${rules.length} rules (${least} %), and maxDeletedPercent is ${maxDeletedPercent}:\n` +
    `${showSteps(deleted, known, { expressions: false })}\n` +
    `If that is meant, set maxDeletedPercent: ${least}. A rule with a new name counts as a deleted one and an added one.`
  );
}
