import type { FoundRequest } from "../solver/find-request";

/** What a change of a rule set does to requests, both halves certain unless they say otherwise. */
export interface RuleSetEffect {
  /** A request that was allowed and is denied now. */
  readonly newlyDenied: FoundRequest;
  /** A request that was denied and is allowed now. */
  readonly newlyAllowed: FoundRequest;
  /**
   * `broadens` or `narrows` what is denied and does nothing else, does `both`,
   * or `none`: no request is decided otherwise.
   */
  readonly class: "broadens" | "narrows" | "both" | "none" | "cannot tell";
}

/** The effect of which nothing is known. */
export const CANNOT_TELL: RuleSetEffect = {
  newlyDenied: { answer: "cannot tell" },
  newlyAllowed: { answer: "cannot tell" },
  class: "cannot tell",
};

/** The effect that has these two halves. */
export function effectOf(
  newlyDenied: FoundRequest,
  newlyAllowed: FoundRequest,
): RuleSetEffect {
  return {
    newlyDenied,
    newlyAllowed,
    class: classOf(newlyDenied.answer, newlyAllowed.answer),
  };
}

function classOf(
  denied: FoundRequest["answer"],
  allowed: FoundRequest["answer"],
): RuleSetEffect["class"] {
  if (denied === "cannot tell" || allowed === "cannot tell")
    return "cannot tell";
  if (denied === "found") return allowed === "found" ? "both" : "broadens";
  return allowed === "found" ? "narrows" : "none";
}
