import type { RuleRequest } from "../language";
import type { FoundRequest } from "../solver/find-request";
import type { RuleSetEffect } from "./effects";

/** A phrase about an effect, with a request that shows it. */
export interface EffectPhrase {
  readonly text: string;
  readonly request?: RuleRequest;
}

/**
 * Describes an effect in one or two phrases: newly denied requests, and newly
 * allowed requests.
 */
export function describeEffect(effect: RuleSetEffect): EffectPhrase[] {
  const { newlyDenied, newlyAllowed } = effect;
  const answers = [newlyDenied.answer, newlyAllowed.answer];
  if (answers.every((answer) => answer === "none"))
    return [{ text: "decides no request otherwise" }];
  if (answers.every((answer) => answer === "cannot tell"))
    return [{ text: "cannot tell which requests are decided otherwise" }];
  return [
    phrase(newlyDenied, {
      found: "denies more requests",
      none: "denies nothing new",
      "cannot tell": "cannot tell whether more requests are denied",
    }),
    phrase(newlyAllowed, {
      found: "lets more requests through",
      none: "lets nothing new through",
      "cannot tell": "cannot tell whether more requests get through",
    }),
  ];
}

function phrase(
  found: FoundRequest,
  words: Readonly<Record<FoundRequest["answer"], string>>,
): EffectPhrase {
  const text = words[found.answer];
  return found.answer === "found" ? { text, request: found.request } : { text };
}
