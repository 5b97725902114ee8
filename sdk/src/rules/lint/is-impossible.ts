import type { RuleRequest } from "../expression";
import { findRequest, type Condition, type FoundRequest } from "../reasoning";
import { meetsCondition } from "../reasoning/meets-condition";

const EMPTY: RuleRequest = { headers: {} };

/** Whether surely no request meets a condition. A guess that does spares the search. */
export function isImpossible(
  condition: Condition,
  guess?: FoundRequest,
): boolean {
  const request = guess?.answer === "found" ? guess.request : EMPTY;
  return (
    !meetsCondition(condition, request) &&
    findRequest(condition).answer === "none"
  );
}
