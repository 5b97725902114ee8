import {
  all,
  allows,
  not,
  noneMatches,
  meetsCondition,
} from "../solver/condition";
import { findRequest, type FoundRequest } from "../solver/find-request";
import { isReadable, isSameDecision, type ReadRule } from "./read-rule";
import { effectOf, type RuleSetEffect } from "./rule-set-effect";

/** What steps from one list of enabled rules to another do together. */
export function totalEffect(
  before: readonly ReadRule[],
  after: readonly ReadRule[],
  steps: readonly RuleSetEffect[],
): RuleSetEffect {
  const denied = steps.map(({ newlyDenied }) => newlyDenied);
  const allowed = steps.map(({ newlyAllowed }) => newlyAllowed);
  return effectOf(
    together(before, after, denied),
    together(after, before, allowed),
  );
}

/** A request that one list allows and the other denies; `steps` is what each step found of such. */
function together(
  allowing: readonly ReadRule[],
  denying: readonly ReadRule[],
  steps: readonly FoundRequest[],
): FoundRequest {
  // What no step does, all of them do not.
  if (steps.every(({ answer }) => answer === "none")) return { answer: "none" };
  if (!allowing.every(isReadable) || !denying.every(isReadable))
    return { answer: "cannot tell" };
  const common = commonBeginning(allowing, denying);
  const wanted = all(
    noneMatches(allowing.slice(0, common)),
    allows(allowing.slice(common)),
    not(allows(denying.slice(common))),
  );
  const shown = steps.find(
    (step) => step.answer === "found" && meetsCondition(wanted, step.request),
  );
  return shown ?? findRequest(wanted);
}

/** How many rules decide alike from the first on. */
function commonBeginning(
  one: readonly ReadRule[],
  other: readonly ReadRule[],
): number {
  const differs = one.findIndex((rule, i) => {
    const counterpart = other[i];
    return !counterpart || !isSameDecision(rule, counterpart);
  });
  return differs < 0 ? one.length : differs;
}
