import type { RuleRequest } from "../expression";
import type { Condition } from "./condition";

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
  void condition;
  return { answer: "cannot tell" };
}
