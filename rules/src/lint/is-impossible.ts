import type { RuleRequest } from "../language";
import { type Condition, meetsCondition } from "../solver/condition";
import { findRequest, type FoundRequest } from "../solver/find-request";

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
