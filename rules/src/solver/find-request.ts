import type { RuleRequest } from "../language";
import type { Condition } from "./condition";
import { conditionFormula } from "./condition-formula";
import { meetsCondition } from "./meets-condition";
import { Search } from "./search";

/** Whether any request meets a condition. Both `found` and `none` are certain. */
export type FoundRequest =
  /** This one does: evaluating the condition on it said so. */
  | { readonly answer: "found"; readonly request: RuleRequest }
  /** None does, whatever it holds. */
  | { readonly answer: "none" }
  /** No request was found, and none is not proven. */
  | { readonly answer: "cannot tell" };

/** Looks for a request that meets a condition, by reasoning instead of trying. */
export function findRequest(condition: Condition): FoundRequest {
  const found = new Search().find(conditionFormula(condition), (request) =>
    meetsCondition(condition, request),
  );
  if (found === "none") return { answer: "none" };
  return found === "gave up"
    ? { answer: "cannot tell" }
    : { answer: "found", request: found };
}
