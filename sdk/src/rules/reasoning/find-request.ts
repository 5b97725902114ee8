import type { RuleRequest } from "../expression";
import type { Condition } from "./condition";
import { conditionFormula } from "./condition-formula";
import { meetsCondition } from "./meets-condition";
import { search } from "./search";
import { requestIn } from "./witness";

/** Whether any request meets a condition. Both `found` and `none` are certain. */
export type FoundRequest =
  /** This one does: evaluating the condition on it said so. */
  | { readonly answer: "found"; readonly request: RuleRequest }
  /** None does, whatever it holds. */
  | { readonly answer: "none" }
  /** No request was found, and none is not proven. */
  | { readonly answer: "cannot tell" };

/** Requests that are tried for a state in which nothing is open. */
const MAX_ATTEMPTS = 8;

/** Looks for a request that meets a condition, by reasoning instead of trying. */
export function findRequest(condition: Condition): FoundRequest {
  let request: RuleRequest | undefined;
  const result = search(conditionFormula(condition), (state, isOpen) => {
    const attempts = isOpen ? 1 : MAX_ATTEMPTS;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const made = requestIn(state, attempt);
      if (!meetsCondition(condition, made)) continue;
      request = made;
      return true;
    }
    return false;
  });
  if (request) return { answer: "found", request };
  return { answer: result === "none" ? "none" : "cannot tell" };
}
