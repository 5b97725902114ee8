import type { Rule } from "../rule-set/rule";
import { diffRules } from "../diff/diff-rules";
import type { Outcomes } from "./impact";

/** In milliseconds: what is not proven by then is left to be counted. */
const PROOF_BUDGET_MS = 1_000;

/**
 * What proposed rules are proven to do to no request at all, so to no event:
 * `newlyDenied`, `newlyAllowed`, both or neither.
 */
export function impossibleOutcomes(
  inForce: readonly Rule[],
  proposed: readonly Rule[],
): ReadonlySet<keyof Outcomes> {
  const { effect } = diffRules(inForce, proposed, {
    withinMs: PROOF_BUDGET_MS,
  });
  const outcomes = ["newlyDenied", "newlyAllowed"] as const;
  return new Set(
    outcomes.filter((outcome) => effect[outcome].answer === "none"),
  );
}
